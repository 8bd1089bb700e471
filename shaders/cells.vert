#version 330 core
// One triangle that covers the picture; its corner gives each fragment its place in the map.
// x0, y0, x1, y1: the part of the map to show, in cells.
uniform vec4 part;
out vec2 cell;

void main() {
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  cell = mix(part.xy, part.zw, corner);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
