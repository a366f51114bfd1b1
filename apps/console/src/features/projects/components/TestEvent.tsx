import { useState } from 'react'
import { Button, toast } from '../../../ui/index.ts'
import type { PlatformDsn } from '../model/platforms.ts'
import { sendTestEvent } from '../model/test-event.ts'

/** Sends an event from this page, so that one sees how it goes on before anything is installed. */
export function TestEvent({ dsn }: { readonly dsn: PlatformDsn }) {
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      await sendTestEvent(dsn)
      toast({ title: 'Test event sent' })
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ title: 'The test event was not taken', description, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={() => void send()}>
      Send a test event
    </Button>
  )
}
