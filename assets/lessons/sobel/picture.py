#!/usr/bin/env python3
"""Draws picture.png, 512 x 384, gray: a lighthouse by the sea, of shapes with hard and with soft edges.

    python3 picture.py        # needs numpy and Pillow
"""
import numpy as np
from PIL import Image

WIDTH, HEIGHT, FINE = 512, 384, 4  # drawn FINE times as large, then averaged


def draw():
    y, x = np.mgrid[0:HEIGHT * FINE, 0:WIDTH * FINE] / FINE
    horizon = 250
    picture = 225 - 0.28 * y  # the sky
    sun = np.hypot(x - 390, y - 80)
    picture = np.where(sun < 34, 250, picture + 40 * np.exp(-(sun / 60) ** 2))
    for cloud_x, cloud_y, size in ((250, 70, 26), (285, 62, 34), (322, 74, 24), (60, 110, 22), (92, 104, 28)):
        inside = np.hypot((x - cloud_x) / 1.5, y - cloud_y) < size
        picture = np.where(inside, 246 - 0.5 * (y - cloud_y + size) / 2, picture)
    waves = np.sin(0.09 * (x + 12 * np.sin(y / 9)) * 60 / (np.maximum(y - horizon, 0) + 40) + y / 2.2)
    picture = np.where(y > horizon, 96 - 0.15 * (y - horizon) + 14 * waves, picture)
    hill = horizon + 18 - 78 * np.exp(-((x - 150) / 105) ** 2) + 3 * np.sin(x / 7)
    picture = np.where((y > hill) & (y < horizon + 30 + 6 * np.sin(x / 23)) & (x < 330), 60 + 0.12 * x, picture)
    half = 17 + (y - 60) * 0.075  # half the width of the tower
    tower = (np.abs(x - 150) < half) & (y > 78) & (y < 200)
    bands = np.where((y - 78) // 24 % 2 == 0, 236, 120)
    picture = np.where(tower, bands * (1 - 0.35 * (x - 150 + half) / (2 * half)), picture)
    picture = np.where((np.abs(x - 150) < 24) & (y > 72) & (y <= 78), 40, picture)
    picture = np.where((np.abs(x - 150) < 13) & (y > 48) & (y <= 72), 205, picture)
    picture = np.where((np.abs(np.abs(x - 150) - 6.5) < 1) & (y > 48) & (y <= 72), 50, picture)
    picture = np.where((np.abs(x - 150) < (y - 32) * 1.1) & (y > 32) & (y <= 48), 45, picture)
    picture = np.where((np.abs(x - 150) < 6) & (y > 178) & (y < 200), 35, picture)
    sail = (x > 400) & (x - 400 < (y - 196) * 0.62) & (y > 196) & (y < 262)
    picture = np.where(sail, 240, picture)
    picture = np.where((np.abs(x - 398) < 1.2) & (y > 188) & (y < 268), 30, picture)
    hull = (np.abs(x - 410) < 44 - 1.2 * (y - 268)) & (y > 268) & (y < 286)
    picture = np.where(hull, 48, picture)
    return picture.reshape(HEIGHT, FINE, WIDTH, FINE).mean(axis=(1, 3)).clip(0, 255).round().astype(np.uint8)


if __name__ == "__main__":
    Image.fromarray(draw()).save("picture.png", optimize=True)
