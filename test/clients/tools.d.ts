// The used part of tools that have no types.

declare module 'openapi-to-postmanv2' {
  interface Converted {
    readonly result: boolean;
    readonly reason?: string;
    readonly output?: readonly { readonly data: object }[];
  }
  const converter: {
    convertV2(
      input: { readonly type: 'string'; readonly data: string },
      options: object,
      done: (error: Error | null, made?: Converted) => void,
    ): void;
  };
  export default converter;
}

declare module 'newman' {
  interface Execution {
    readonly item: { readonly name: string };
    readonly response?: { readonly code: number };
  }
  const newman: {
    run(
      options: object,
      done: (error: Error | null, summary: { readonly run: { readonly executions: readonly Execution[] } }) => void,
    ): void;
  };
  export default newman;
}
