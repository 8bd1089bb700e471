// A switch with many cases: a jump table (brx.idx), and lanes that each take another case.
extern "C" __global__ void count_digits(const unsigned* in, unsigned* out) {
  unsigned rest = in[blockIdx.x * blockDim.x + threadIdx.x], sum = 0;
  for (int digit = 0; digit < 10; ++digit) {
    switch (rest % 10) {
      case 0: sum += digit; break;
      case 1: sum ^= 0x55; break;
      case 2: sum = sum * 3 + 1; break;
      case 3: sum -= rest >> 4; break;
      case 4: sum = __brev(sum); break;
      case 5: sum += __popc(rest); break;
      case 6: sum = sum << 5 | sum >> 27; break;
      case 7: sum |= digit << 8; break;
      case 8: sum = ~sum; break;
      default: sum += rest * rest; break;
    }
    rest /= 10;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
