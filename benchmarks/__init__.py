"""Speed, as ratios to something run beside it: `make bench`."""
