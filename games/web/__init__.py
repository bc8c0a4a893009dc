"""Pages and sockets."""
