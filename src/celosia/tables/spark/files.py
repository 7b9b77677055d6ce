"""Files where Spark has them: HDFS, the file system of this machine, and whatever else it reaches."""

import time
from typing import Any

from pyspark.sql import SparkSession

from celosia.tables.spark.errors import spark_errors_explained

__all__ = ["Files"]

PRIVATE = 0o700


class Files:
    """The file system on which a path lies, as Hadoop shows it."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.where = path
        jvm: Any = spark._jvm
        self._jvm = jvm
        with spark_errors_explained(path):
            found = jvm.org.apache.hadoop.fs.Path(path).getFileSystem(spark._jsc.hadoopConfiguration())
            # On this machine Hadoop puts a file with a checksum beside each, which nobody asked for.
            has_raw = jvm.org.apache.hadoop.fs.LocalFileSystem._java_lang_class.isInstance(found)
            self._files = found.getRaw() if has_raw else found
            self.path = self._files.makeQualified(jvm.org.apache.hadoop.fs.Path(path)).toString()

    def _at(self, path: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(path)

    def exists(self, path: str) -> bool:
        """Whether something is there."""
        with spark_errors_explained(path):
            return bool(self._files.exists(self._at(path)))

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there."""
        with spark_errors_explained(path):
            return bool(self.exists(path) and self._files.getFileStatus(self._at(path)).isDirectory())

    def changed(self, path: str) -> float:
        """When a file or folder was changed, in seconds."""
        with spark_errors_explained(path):
            return float(self._files.getFileStatus(self._at(path)).getModificationTime()) / 1000

    def age(self, path: str) -> float:
        """Seconds since a file or folder was changed, by the clock of this machine."""
        return time.time() - self.changed(path)

    def names(self, folder: str) -> list[str]:
        """What lies in a folder."""
        with spark_errors_explained(folder):
            return [str(one.getPath().getName()) for one in self._files.listStatus(self._at(folder))]

    def make_private(self, folder: str) -> None:
        """Make a folder that only its owner may enter; it goes with this process if nobody removes it before."""
        with spark_errors_explained(folder):
            self._files.mkdirs(self._at(folder), self._for_its_owner())
        self.close_to_others(folder)
        self.remove_in_the_end(folder)

    def close_to_others(self, folder: str) -> None:
        """Let only its owner enter a folder."""
        with spark_errors_explained(folder):
            self._files.setPermission(self._at(folder), self._for_its_owner())

    def _for_its_owner(self) -> Any:
        return self._jvm.org.apache.hadoop.fs.permission.FsPermission(PRIVATE)

    def remove_in_the_end(self, path: str) -> None:
        """Have something removed with this process, if nobody removes it before."""
        with spark_errors_explained(path):
            self._files.deleteOnExit(self._at(path))

    def move(self, source: str, target: str) -> bool:
        """Give something another name, in one step; False if that name is taken."""
        with spark_errors_explained(target):
            if self.exists(target):
                return False
            return bool(self._files.rename(self._at(source), self._at(target)))

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it."""
        with spark_errors_explained(path):
            self._files.delete(self._at(path), True)

    def write(self, path: str, text: str) -> None:
        """Make a file of a text."""
        with spark_errors_explained(path):
            stream = self._files.create(self._at(path), True)
            try:
                stream.write(bytearray(text.encode()))
            finally:
                stream.close()

    def read(self, path: str) -> str:
        """The text of a small file."""
        with spark_errors_explained(path):
            stream = self._files.open(self._at(path))
            try:
                return bytes(stream.readAllBytes()).decode()
            finally:
                stream.close()
