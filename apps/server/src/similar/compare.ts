import type { Features } from '../issues/index.ts'
import { pairsOf, shinglesOf } from './tokens.ts'

/** How alike two issues are, from 0 to 1, and in what. Null for what neither of them has. */
export interface Likeness {
  readonly score: number
  readonly frames: number | null
  readonly type: number | null
  readonly message: number | null
}

const WEIGHTS = { frames: 0.6, type: 0.15, message: 0.25 } as const

/** How much a feature says: the fewer of the candidates have it, the more. */
export type Weight = (feature: string) => number

export const weightsOf = (all: readonly Features[]): Weight => {
  const having = new Map<string, number>()
  for (const features of all) {
    for (const part of new Set([...partsOf(features), ...shinglesOf(features.words)]))
      having.set(part, (having.get(part) ?? 0) + 1)
  }
  return (feature) => Math.log(1 + all.length / (having.get(feature) ?? 1))
}

const partsOf = ({ functions }: Features): readonly string[] => [...functions, ...pairsOf(functions)]

export const compare = (one: Features, other: Features, weight: Weight): Likeness => {
  const parts = {
    frames: jaccard(partsOf(one), partsOf(other), weight),
    type: one.type === '' && other.type === '' ? null : one.type === other.type ? 1 : 0,
    message: jaccard(shinglesOf(one.words), shinglesOf(other.words), weight),
  }
  let sum = 0
  let weights = 0
  for (const name of ['frames', 'type', 'message'] as const) {
    const part = parts[name]
    if (part === null) continue
    sum += part * WEIGHTS[name]
    weights += WEIGHTS[name]
  }
  return { ...parts, score: weights === 0 ? 0 : sum / weights }
}

const jaccard = (one: readonly string[], other: readonly string[], weight: Weight): number | null => {
  const [a, b] = [new Set(one), new Set(other)]
  let common = 0
  let all = 0
  for (const feature of new Set([...one, ...other])) {
    const value = weight(feature)
    all += value
    if (a.has(feature) && b.has(feature)) common += value
  }
  return all === 0 ? null : common / all
}
