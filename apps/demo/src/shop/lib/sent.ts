import { createStore } from './store.ts'

export interface Sent {
  readonly id: string
  readonly what: string
}

const SHOWN = 6

/** What left the page, newest first: the workbench shows it. */
export const sentStore = createStore<readonly Sent[]>([])

export const noteSent = (id: string, what: string): void =>
  sentStore.set([{ id, what }, ...sentStore.get()].slice(0, SHOWN))
