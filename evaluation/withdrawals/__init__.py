"""What is done about files that hold somebody who was erased after they had left the house."""
