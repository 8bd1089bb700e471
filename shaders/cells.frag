#version 330 core
// A map of cells: looks up the value of the cell under the fragment and gives it its colour. Values are exact integers, never
// filtered. Where many cells fall on one pixel, the mean colour of a 4 x 4 grid of samples is shown, so that a fine
// pattern turns into its average and not into stripes that are not there.
uniform usampler2D values;   // 0 is an empty cell
uniform uint maximum;        // of the values
uniform int kinds;           // 0: amounts on the palette as a scale; else value picks one of so many colours
uniform sampler2D palette;   // one row of colours
uniform vec4 empty;          // colour of an empty cell and of what lies outside of the map
uniform ivec2 extent;        // columns, rows
uniform vec2 cells_per_pixel;
uniform vec4 grid;           // colour of the lines between cells, drawn where cells are large
in vec2 cell;
out vec4 color;

vec4 color_at(vec2 place) {
  ivec2 at = ivec2(floor(place));
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, extent))) return vec4(0.0);
  uint value = texelFetch(values, at, 0).r;
  if (value == 0u) return empty;
  if (kinds > 0) return texelFetch(palette, ivec2(int((value - 1u) % uint(kinds)), 0), 0);
  float amount = maximum > 1u ? float(value - 1u) / float(maximum - 1u) : 1.0;
  return texture(palette, vec2(mix(0.5, 255.5, amount) / 256.0, 0.5));
}

void main() {
  float density = max(cells_per_pixel.x, cells_per_pixel.y);
  if (density <= 1.0) {
    color = color_at(cell);
    vec2 inside = fract(cell) / cells_per_pixel;  // pixels from the cell's corner
    if (density < 0.125 && color.a > 0.0 && min(inside.x, inside.y) < 1.0) color = vec4(mix(color.rgb, grid.rgb, grid.a), color.a);
    return;
  }
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sum += color_at(cell + (vec2(i, j) - 1.5) * 0.25 * cells_per_pixel);
  color = sum / 16.0;
}
