/** What of pictures, fonts and style sheets becomes free when replays go. Pure. */

interface AssetsOfReplays {
  readonly uses: readonly (readonly [replayId: string, asset: number])[]
  /** Every style sheet that has one of these assets, also one that is none of them. */
  readonly parts: readonly (readonly [sheet: number, part: number])[]
  /** How many replays of the project have each. */
  readonly replaysOf: ReadonlyMap<number, number>
  readonly blobs: readonly { readonly id: number; readonly key: string; readonly bytes: number }[]
  /** How many assets of the project have the same bytes, by the key of their blob. */
  readonly rowsOf: ReadonlyMap<string, number>
}

export interface AssetSpace {
  /** A replay goes, after those for which this was called before. @returns bytes that nothing of the project has then */
  release(replayId: string): number
}

export const NO_ASSET_SPACE: AssetSpace = { release: () => 0 }

export const createAssetSpace = ({ blobs, parts, replaysOf, rowsOf, uses }: AssetsOfReplays): AssetSpace => {
  const used = Map.groupBy(uses, ([replayId]) => replayId)
  const partsOf = Map.groupBy(parts, ([sheet]) => sheet)
  const blobOf = new Map(blobs.map((blob) => [blob.id, blob]))
  const rows = new Map(rowsOf)
  const owners = new Map(replaysOf)
  for (const [, part] of parts) owners.set(part, (owners.get(part) ?? 0) + 1)

  const free = (id: number): number => {
    const blob = blobOf.get(id)
    if (blob === undefined) return 0
    const left = (rows.get(blob.key) ?? 1) - 1
    rows.set(blob.key, left)
    return left === 0 ? blob.bytes : 0
  }
  return {
    release: (replayId) => {
      let freed = 0
      const open = (used.get(replayId) ?? []).map(([, asset]) => asset)
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        const left = (owners.get(id) ?? 1) - 1
        owners.set(id, left)
        if (left > 0) continue
        freed += free(id)
        for (const [, part] of partsOf.get(id) ?? []) open.push(part)
      }
      return freed
    },
  }
}
