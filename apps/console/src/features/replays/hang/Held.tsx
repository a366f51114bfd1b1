import { type ReactNode, useEffect, useState } from 'react'

import { Button, EmptyState, Spinner, WarningIcon } from '../../../ui/index.ts'
import { awaitRenewal, isNoted, noteDrawing } from './draw-note.ts'

/**
 * Notes that the picture of a replay is drawn.
 *
 * @param draws whether it has a recorded page
 * @returns what stands in place of the picture when a page hung over it before; null when it may be drawn
 */
export function useHeld(replay: string, draws: boolean): ReactNode {
  const [state, setState] = useState<'asks' | 'hung' | 'draws'>(() => (draws && isNoted(replay) ? 'asks' : 'draws'))
  useEffect(() => {
    if (!draws || state === 'hung') return undefined
    return state === 'draws'
      ? noteDrawing(replay)
      : awaitRenewal(replay, (answers) => setState(answers ? 'draws' : 'hung'))
  }, [replay, draws, state])
  if (state === 'draws') return null
  if (state === 'asks') return <Spinner label="Looking whether this replay is open in another window" />
  return (
    <EmptyState
      icon={WarningIcon}
      title="This recording stopped the page last time"
      action={<Button onClick={() => setState('draws')}>Draw it anyway</Button>}
    >
      <p>
        It was being drawn when the page no longer answered or was closed by force, so it is not drawn again unasked.
        What happened stands in the list.
      </p>
    </EmptyState>
  )
}
