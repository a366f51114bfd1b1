/** What the engine process tells its parent. */
export type EngineMessage =
  | { readonly kind: 'ready' }
  /** The data folder could not be opened; `message` is the engine's. The process ends after it. */
  | { readonly kind: 'failed'; readonly message: string }
