"""Sessions to try foldline on, written for it. samples.json says what each shows; README.md lists them."""
