import { type AlertRule, type Answer, type testAlert } from '@firsthand/contract'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { Badge, Button, Dialog, toast, VisibleText } from '../../../ui/index.ts'
import { tryAlert } from '../queries.ts'
import styles from './TestButton.module.css'

type Results = Answer<typeof testAlert>['results']

/** Performs what is saved, and shows what the other side said. */
export function TestButton({
  org,
  rule,
  isDirty,
  mayWrite,
}: {
  readonly org: string
  readonly rule: AlertRule
  readonly isDirty: boolean
  readonly mayWrite: boolean
}) {
  const [busy, setBusy] = useState(false)
  const [results, setResults] = useState<Results | null>(null)
  if (!mayWrite) return null
  const send = async () => {
    if (isDirty) {
      toast({ title: 'Save it first', description: 'A test performs what is saved, not what is being changed.' })
      return
    }
    setBusy(true)
    try {
      setResults((await tryAlert(org, rule.id)).results)
    } catch (error) {
      toast({ title: 'The test failed', description: describeError(error).detail, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button busy={busy} onClick={() => void send()}>
        Send a test
      </Button>
      <Dialog
        open={results !== null}
        onOpenChange={(open) => !open && setResults(null)}
        title="What the other side said"
        description="Each receiver of the saved alert was sent a message that says it is a test. It makes no issue and no incident."
        footer={<Button onClick={() => setResults(null)}>Close</Button>}
      >
        {results === null ? null : <Answers results={results} />}
      </Dialog>
    </>
  )
}

function Answers({ results }: { readonly results: Results }) {
  if (results.length === 0)
    return <p>The saved alert tells nobody, so nothing was sent. Add a receiver, save, and try again.</p>
  return (
    <ul className={styles.results}>
      {results.map(({ receiver, action, isOk, status, answer }) => (
        <li key={`${action} ${receiver}`} className={styles.result}>
          <span className={styles.receiver}>
            <VisibleText text={receiver} />
          </span>
          <Badge tone={isOk ? 'ok' : 'error'}>{isOk ? 'reached' : 'failed'}</Badge>
          <p className={styles.answer}>
            {status === null ? null : `${status} `}
            <VisibleText text={answer} />
          </p>
        </li>
      ))}
    </ul>
  )
}
