"""x"""


def fetch_files(place, format):
    raise NotImplementedError
