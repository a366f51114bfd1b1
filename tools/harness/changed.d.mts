export declare const needsWholeProject: (
  project: 'unit' | 'e2e' | 'widget' | 'faults',
  files: readonly string[],
) => boolean

export declare const readChange: (root: string) => { readonly base: string; readonly files: readonly string[] } | null
