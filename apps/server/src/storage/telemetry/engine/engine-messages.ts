/** What the engine process tells its parent. */
export type EngineMessage =
  | { readonly kind: 'ready' }
  /** The data folder could not be opened; `message` is the engine's. The process ends after it. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A statement failed because data on disk cannot be read; `message` is the engine's. Whoever asked may be gone. */
  | { readonly kind: 'damaged'; readonly message: string }
