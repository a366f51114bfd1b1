export declare const needsWholeProject: (
  project: 'unit' | 'pages' | 'e2e' | 'faults',
  files: readonly string[],
) => boolean

export declare const readChange: (root: string) => { readonly base: string; readonly files: readonly string[] } | null
