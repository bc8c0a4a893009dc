"""All settings, read from the environment. A value that cannot be understood stops the start with a sentence.

Set for production: SECRET_KEY, DATABASE_URL, REDIS_URL, ALLOWED_HOSTS, HTTPS=1, TRUSTED_PROXIES (docs/deployment.md).
With none set, all of it lives in var/.
"""

import os
import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from magic_site.own_redis import kept_address
from magic_site.proxies import networks

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")


def flag(name: str, default: bool) -> bool:
    """A yes or no from the environment; anything else than 1, 0, true, false, yes, no, on, off is refused."""
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    value = env.str(name, default="").strip().lower()
    if value and value not in words:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return words.get(value, default)


def key_kept_in(path: Path) -> str:
    """The key in a file that only its owner reads; made at the first start, or when the file holds none."""
    if not path.exists() or not path.read_text().strip():
        whole = path.with_suffix(f".{os.getpid()}")  # so that nobody reads half a key
        whole.touch(mode=0o600)
        whole.write_text(secrets.token_urlsafe(50))
        whole.replace(path)
    return path.read_text()


VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)

# Off by default: Django's debug pages show local variables, and those hold roles and words.
DEBUG = flag("DEBUG", False)

# Database

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'magic.sqlite3'}")}
SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if SQLITE:
    # Two processes write: without IMMEDIATE a transaction that reads first fails as "locked", even in WAL.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
    }
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
# A connection a thread, kept: opening one for every message of every socket costs more than the query.
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": not SQLITE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Security

SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    if not SQLITE:
        raise ImproperlyConfigured("Set SECRET_KEY: all machines on one database must sign cookies with the same key.")
    SECRET_KEY = key_kept_in(VAR_DIR / "secret_key")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = flag("HTTPS", False)
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=["127.0.0.1", "::1"] if HTTPS else [])
try:
    networks(TRUSTED_PROXIES)
except ValueError as error:
    raise ImproperlyConfigured(str(error)) from None
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
SESSION_ENGINE = "magic_site.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_REFERRER_POLICY = "same-origin"  # a page's address may hold a table's join code
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "games:lobby"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# How much one visitor may take up; 0 is no limit. Tables count while they wait or are played.

MOST_TABLES_OF_A_PERSON = env.int("MOST_TABLES_OF_A_PERSON", default=6)
MOST_TABLES_OF_AN_ADDRESS = env.int("MOST_TABLES_OF_AN_ADDRESS", default=40)
MOST_TABLES = env.int("MOST_TABLES", default=300)
MOST_SOCKETS_OF_AN_ADDRESS = env.int("MOST_SOCKETS_OF_AN_ADDRESS", default=200)  # of one web process, as the next one
MOST_SOCKETS = env.int("MOST_SOCKETS", default=2000)
MOST_BYTES_OF_A_BODY = env.int("MOST_BYTES_OF_A_BODY", default=2_500_000)

# US dollars for models on a day (UTC), as long as no admin has set another limit
MOST_DOLLARS_A_DAY = env.float("MOST_DOLLARS_A_DAY", default=5.0)

# Apps and pages

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "magic_site",
    "games",
    "agents",
    "evaluation",
]
MIDDLEWARE = [
    "magic_site.health.answered_first",
    "django.middleware.security.SecurityMiddleware",
    "magic_site.middleware.content_security_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "magic_site.middleware.doers_noted",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.web.unreadable.UnreadableLogs",
]
ROOT_URLCONF = "magic_site.urls"
ASGI_APPLICATION = "magic_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "games"],  # the second for what stands in a game's folder
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# What programs call (docs/api.md)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["games.web.api.callers.Bearer"],
    "DEFAULT_PERMISSION_CLASSES": ["games.web.api.callers.Scoped", "games.web.api.callers.Understood"],
    "DEFAULT_THROTTLE_CLASSES": ["games.web.api.callers.Knocks"],
    "DEFAULT_PARSER_CLASSES": ["games.web.api.parsing.StrictJSON"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "games.web.api.openapi.Schema",
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "games.web.api.problems.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Magic Table",
    "DESCRIPTION": "People and agents at one table: tables, seats and matches for programs.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "CompetitionStatus": "evaluation.models.Competition.Status",
        "BoutStatus": "evaluation.models.Bout.Status",
    },
}

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # served from where they lie: no collecting step before a start

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]  # only what the pages are written in: Django's own sentences would speak all of its own
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

# Logs that were put away stand in files here, which all web processes and workers have to reach
ARCHIVES = env.str("ARCHIVES", default=str(VAR_DIR / "archives"))

# At the table

SEALED_SECONDS = tuple(map(float, env.list("SEALED_SECONDS", default=["10", "14"])))
"""Seconds, at least and at most, that a request takes of which nobody may learn who is asked; empty: no longer than its
answer."""

# Between processes: one Redis-protocol server carries hints to pages, tasks to workers, and the shared cache

REDIS_URL = env.str("REDIS_URL", default=kept_address(VAR_DIR) or "redis://127.0.0.1:6379")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "magic_site.layer.Layer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_connect_timeout": 3}], "prefix": "magic"},
    }
}
CACHES = {
    "default": {
        "BACKEND": "magic_site.cache.SharedCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "magic",
        "OPTIONS": {
            "pool_class": "magic_site.cache.SharedPool",
            "socket_connect_timeout": 3,
            "socket_timeout": 3,
        },
    },
    "alone": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},  # what is counted while the other is away
}

EXPORTS_KEPT_DAYS = env.int("EXPORTS_KEPT_DAYS", default=7)
"""How long files of matches can be taken away."""

REVIEW_MS = env.int("REVIEW_MS", default=8_000)
"""Milliseconds of one processor that the reviews of a match may take together."""

LEASE_SECONDS = env.float("LEASE_SECONDS", default=9.0)
"""How long work under way belongs to a process that renews nothing any more; who lives renews three times meanwhile."""

# Celery writes the address of a unix socket in a way of its own.
CELERY_BROKER_URL = (
    f"redis+socket://{REDIS_URL.removeprefix('unix://')}?virtual_host=0"
    if REDIS_URL.startswith("unix://")
    else REDIS_URL
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a broker may be away for as long as it likes
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}  # the sweeper sends again what was not sent
CELERY_TASK_DEFAULT_QUEUE = (
    "house"  # others: models (waiting for providers), bouts (and what else asks models), counts (and files)
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_CONSUMER = "magic_site.broker:Consumer"
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # nobody listens for commands: one connection less to lose
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# What is said of a running server; never a request's body, a cookie or a key

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"outages": {"()": "magic_site.outages.OneLine"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["outages"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    # More than warnings of these would hold prompts and replies.
    "loggers": {name: {"level": "WARNING"} for name in ("anthropic", "openai", "httpx2", "httpcore2")},
}
