import { useState } from 'react'
import { describeError } from '../lib/api.ts'
import { toast, type ToastOptions } from './toast.ts'
import { changing, undoable } from './undo.ts'

export interface Changes {
  readonly busy: boolean
  /** Does it; a failure is told ("Merging failed") and answered with null. What is shown is asked for again in any case. */
  readonly during: <Result>(what: string, work: () => Promise<Result>) => Promise<Result | null>
  /**
   * The action of a toast that takes back what it tells of; `z` does the same. To be asked for once the change is made.
   *
   * @param title names the change once it is taken back
   */
  readonly undo: (title: string, work: () => Promise<unknown>) => NonNullable<ToastOptions['action']>
}

/** Changes of what is on screen: busy meanwhile, failures told, and taken back from the toast that tells of them. */
export function useChanges(refresh: () => void): Changes {
  const [busy, setBusy] = useState(false)
  const during = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    setBusy(true)
    try {
      return await changing(work())
    } catch (error) {
      toast({ title: `${what} failed`, description: describeError(error).detail, tone: 'error' })
      return null
    } finally {
      setBusy(false)
      refresh()
    }
  }
  return {
    busy,
    during,
    undo: (title, work) => {
      const change = undoable(
        () => void during('Undoing', work).then((result) => result !== null && toast({ title: `Undone: ${title}` })),
      )
      return { label: 'Undo', run: change.run, doneElsewhere: change.taken }
    },
  }
}
