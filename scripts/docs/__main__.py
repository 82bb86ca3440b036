"""`make docs`: builds the site and prints where it begins."""

from scripts.docs.site import ROOT, build

if __name__ == "__main__":
    print(build(ROOT / "build" / "docs") / "index.html")
