"""Location estimators, one idea a file: estimate, radius and streaming state."""

from hbucb.estimators.mean import SampleMean
from hbucb.estimators.median_of_means import MedianOfMeans
from hbucb.estimators.running_median import MedianOfGroups

__all__ = ["MedianOfGroups", "MedianOfMeans", "SampleMean"]
