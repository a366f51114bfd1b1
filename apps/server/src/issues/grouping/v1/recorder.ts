import type { GroupingComponent } from '../../grouped.ts'

/**
 * What the strategies report while they hash. Hashing uses `silent`, which keeps nothing, so that the explanation costs
 * the digest nothing; `createTreeRecorder` keeps the tree that the "why grouped" panel shows. Both run the same code.
 */
export interface Recorder {
  open(id: string, name: string): void
  leaf(id: string, name: string, value: string, contributes: boolean, hint?: string): void
  close(contributes: boolean, hint?: string): void
}

export const silent: Recorder = { open: () => {}, leaf: () => {}, close: () => {} }

export interface TreeRecorder extends Recorder {
  /** The outermost component that was opened and closed last. */
  take(): GroupingComponent
}

interface OpenComponent {
  readonly id: string
  readonly name: string
  readonly values: (string | GroupingComponent)[]
}

const component = (
  { id, name, values }: OpenComponent,
  contributes: boolean,
  hint: string | undefined,
): GroupingComponent =>
  hint === undefined ? { id, name, contributes, values } : { id, name, contributes, hint, values }

export const createTreeRecorder = (): TreeRecorder => {
  const root: OpenComponent = { id: 'root', name: 'root', values: [] }
  const stack: OpenComponent[] = [root]
  const top = (): OpenComponent => stack.at(-1) ?? root
  return {
    open: (id, name) => {
      stack.push({ id, name, values: [] })
    },
    leaf: (id, name, value, contributes, hint) => {
      top().values.push(component({ id, name, values: value === '' ? [] : [value] }, contributes, hint))
    },
    close: (contributes, hint) => {
      const closed = stack.length > 1 ? stack.pop() : undefined
      if (closed !== undefined) top().values.push(component(closed, contributes, hint))
    },
    take: () => {
      const last = root.values.pop()
      if (last === undefined || typeof last === 'string') throw new Error('No component was recorded before take()')
      return last
    },
  }
}
