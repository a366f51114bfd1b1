import type { Layout } from './layout.ts'
import type { TraceModel } from './trace.ts'

/** Nodes whose span has the text in its name or operation, or as its id, whatever the case; top to bottom. */
export function findNodes(model: TraceModel, layout: Layout, text: string): Int32Array {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return new Int32Array()
  const hits = Uint8Array.from(model.words, (word) => Number(word.toLowerCase().includes(wanted)))
  const own = model.indexOf(wanted)
  const nodes: number[] = []
  for (let span = 0; span < model.count; span += 1) {
    if (hits[model.name[span] as number] === 1 || hits[model.op[span] as number] === 1 || span === own)
      nodes.push(layout.nodeOf[span] as number)
  }
  return Int32Array.from(nodes).sort()
}

/** The hit after (or before) a node, around the end; -1 when there are none. @param node -1 before the first */
export function hitFrom(hits: Int32Array, node: number, step: 1 | -1): number {
  if (hits.length === 0) return -1
  if (step === 1) return hits.find((hit) => hit > node) ?? (hits[0] as number)
  return hits.findLast((hit) => hit < node) ?? (hits.at(-1) as number)
}
