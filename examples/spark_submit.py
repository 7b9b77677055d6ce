"""Celosía for spark-submit: the commands of a shell, in a session that is set up as all your others are.

    spark-submit --master yarn examples/spark_submit.py anonymize hdfs:///people.parquet --qi age,sex,zip -k 5 \
        --out hdfs:///safe.parquet
"""

from celosia.cli import run_process

run_process()
