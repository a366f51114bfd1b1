declare module '../facts/fact.ts' {
  interface FactKinds {
    /** Files that can be used from now on. */
    artifacts_uploaded: {
      readonly bundleId: number
      readonly release: string | null
      readonly dist: string | null
      readonly files: number
      readonly debugIds: number
    }
  }
}

export {}
