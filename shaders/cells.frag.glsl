// A map of cells: each pixel finds the cells under it and takes their color from the palette.
// Where a pixel covers several cells, up to 8 x 8 of them are averaged, so that aliasing adds no
// pattern; where a cell covers many pixels, its edges stay sharp and a thin line separates it from the next.

uniform usampler2D cells;   // [row][column], 0 is empty
uniform sampler2D palette;  // row 0: the scale of amounts, row 1: the kinds, row 2: grays
uniform vec4 shown;         // columns x to z, rows y to w
uniform vec2 pixels;        // of the target
uniform uint maximum;
uniform int scale;          // the row of the palette: plot::Cells::Scale
uniform vec4 empty_color;
uniform vec4 line_color;

out vec4 color;

const int kMostSamples = 8;
const float kLeastPixelsForLines = 9.0;

vec4 color_of(uint value) {
  if (value == 0u) return empty_color;
  if (scale == 1) return texelFetch(palette, ivec2(int((value - 1u) % 8u), 1), 0);
  uint part = scale == 2 ? value - 1u : value, whole = scale == 2 ? maximum - 1u : maximum;
  float amount = whole == 0u ? 0.0 : float(part) / float(whole);
  return texelFetch(palette, ivec2(int(min(amount, 1.0) * 255.0 + 0.5), scale), 0);
}

void main() {
  vec2 step = (shown.zw - shown.xy) / pixels;  // cells per pixel
  vec2 corner = shown.xy + (gl_FragCoord.xy - 0.5) * step;
  ivec2 last = textureSize(cells, 0) - 1;
  ivec2 samples = clamp(ivec2(ceil(step)), ivec2(1), ivec2(kMostSamples));
  vec4 sum = vec4(0.0);
  for (int y = 0; y < samples.y; ++y)
    for (int x = 0; x < samples.x; ++x) {
      vec2 at = corner + step * (vec2(x, y) + 0.5) / vec2(samples);
      sum += color_of(texelFetch(cells, clamp(ivec2(floor(at)), ivec2(0), last), 0).r);
    }
  color = sum / float(samples.x * samples.y);

  vec2 pixels_per_cell = 1.0 / step;
  vec2 from_edge = fract(corner + 0.5 * step) * pixels_per_cell;
  if (min(pixels_per_cell.x, pixels_per_cell.y) >= kLeastPixelsForLines && min(from_edge.x, from_edge.y) < 1.0)
    color = mix(color, line_color, 0.75);
}
