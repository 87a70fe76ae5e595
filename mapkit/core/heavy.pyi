# Libraries that take long to load, and that most commands do without; see heavy.py.
import cv2 as cv2
import geopandas as geopandas
import networkx as networkx
import numpy as numpy
import onnxruntime as onnxruntime  # type: ignore[import-untyped]
import openpyxl as openpyxl
import pandas as pandas
import pikepdf as pikepdf
import pyogrio as pyogrio  # type: ignore[import-untyped]
import pypdfium2 as pypdfium2  # type: ignore[import-untyped]
import pyproj as pyproj
import shapely as shapely
import svgwrite as svgwrite
import tomlkit as tomlkit
from ortools.sat.python import cp_model as cp_model
from ortools.sat.python import cp_model_helper as cp_model_helper
from rapidfuzz import fuzz as fuzz
from rapidfuzz import process as process
from rapidfuzz.distance import OSA as OSA
from rich import console as console
from rich.table import Table as Table
from rich.text import Text as Text
