declare global {
  /** The few of the browser's types that are needed. */
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Instance {
      constructor(module: Module, imports: KernelImports);
      readonly exports: unknown;
    }
  }
}

/** By module: numbers of 64 bits are BigInts. */
type KernelImports = Record<string, Record<string, number | bigint | CallableFunction>>;

/** What each kernel has, and its constants by name. */
export type KernelExports<Constant extends string> = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
} & Record<Constant, { readonly value: number }>;

const PAGE = 1 << 16;

/** Starts a kernel of its own from its code, as base64. */
export function startKernel<Exports>(code: string, imports: KernelImports): Exports {
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, 'base64')), imports)
    .exports as Exports;
}

/** Grows the memory to this size, bytes. Earlier views of it are empty then. */
export function growTo({ memory }: Pick<KernelExports<never>, 'memory'>, size: number): void {
  const missing = size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
