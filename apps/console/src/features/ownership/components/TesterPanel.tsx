import type { OwnershipTest } from '@firsthand/contract'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { Badge, Button, Field, Input, Notice, Panel, SegmentedControl, VisibleText } from '../../../ui/index.ts'
import { frameName, lineName, outcomeOf, whyItLost } from '../model/outcome.ts'
import { tryOwnership } from '../queries.ts'
import { Problems } from './Problems.tsx'
import styles from './ProjectOwnership.module.css'

const SUBJECTS = [
  { value: 'about', label: 'Issue or event' },
  { value: 'path', label: 'Path' },
  { value: 'url', label: 'URL' },
] as const
type Subject = (typeof SUBJECTS)[number]['value']

const PLACEHOLDERS: Readonly<Record<Subject, string>> = {
  about: 'SHOP-1A, or the id of an event',
  path: 'src/checkout/pay.ts',
  url: 'https://shop.example/admin/orders',
}

interface TesterProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  /** The rules as they stand in the field. */
  readonly draft: string
}

/** Whose something would be, with the rules as they stand in the field above. */
export function TesterPanel({ org, project, draft }: TesterProps) {
  const [subject, setSubject] = useState<Subject>('about')
  const [text, setText] = useState('')
  const [result, setResult] = useState<OwnershipTest>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const wanted = text.trim()
  const forget = (): void => {
    setResult(undefined)
    setFailure(undefined)
  }
  const ask = async (): Promise<void> => {
    if (wanted === '') return
    setBusy(true)
    forget()
    try {
      const what = subject === 'about' ? { about: wanted } : { example: { [subject]: wanted } }
      setResult(await tryOwnership(org, project, { raw: draft, ...what }))
    } catch (error) {
      setFailure(describeError(error).detail)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel
      title="Try it"
      subtitle="with the rules above, saved or not"
      actions={
        <SegmentedControl
          aria-label="What to try"
          value={subject}
          options={SUBJECTS}
          onValueChange={(next) => {
            setSubject(next)
            forget()
          }}
        />
      }
    >
      <form
        noValidate
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <Field label={SUBJECTS.find(({ value }) => value === subject)?.label} hideLabel error={failure} wide>
          <Input
            mono
            placeholder={PLACEHOLDERS[subject]}
            value={text}
            onValueChange={(value) => {
              setText(value)
              forget()
            }}
          />
        </Field>
        <Button type="submit" busy={isBusy} disabled={wanted === ''}>
          Whose is it?
        </Button>
      </form>
      <div role="status">{result === undefined ? null : <Result result={result} />}</div>
    </Panel>
  )
}

function Result({ result }: { readonly result: OwnershipTest }) {
  const { decides, frame, frames, losers, problems } = result
  return (
    <div className={styles.result}>
      <Notice tone={decides === null ? 'warning' : 'ok'}>
        <VisibleText text={outcomeOf(result)} />
      </Notice>
      <ul>
        {decides === null ? null : (
          <li className={styles.problem}>
            <span className={styles.number}>{lineName(decides)}</span>
            <code className={styles.line}>
              <VisibleText text={decides.text} />
            </code>
            <span className={styles.reason}>
              <Badge tone="ok">decides</Badge>
            </span>
          </li>
        )}
        {losers.map((loser) => (
          <li key={`${loser.source} ${loser.line} ${loser.frame}`} className={styles.problem}>
            <span className={styles.number}>{lineName(loser)}</span>
            <code className={styles.line}>
              <VisibleText text={loser.text} />
            </code>
            <span className={styles.reason}>loses: {whyItLost(loser)}</span>
          </li>
        ))}
      </ul>
      {frames.length < 2 ? null : (
        <details className={styles.frames}>
          <summary>{frames.length} frames, from the crash outwards</summary>
          <ol>
            {frames.map((one, number) => (
              <li key={`${number} ${frameName(one)}`} data-asked={one.isAsked} data-decides={number === frame}>
                <code>
                  <VisibleText text={frameName(one)} />
                </code>
                {number === frame ? <Badge tone="ok">decides</Badge> : null}
                {one.isAsked ? null : <span className={styles.reason}>not of the application</span>}
              </li>
            ))}
          </ol>
        </details>
      )}
      <Problems problems={problems.filter(({ source }) => source === 'rules')} />
    </div>
  )
}
