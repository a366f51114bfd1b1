import { useState } from 'react'
import { Button, IconButton, Input, Panel, Select, TrashIcon, VisibleText } from '../../../ui/index.ts'
import type { Draft } from '../model/draft.ts'
import styles from './ProjectFindings.module.css'

interface MutesProps {
  readonly draft: Draft
  readonly mayWrite: boolean
  readonly onChange: (draft: Draft) => void
}

/** Transactions in which nothing is found, or not by one rule. */
export function MutesPanel({ draft, mayWrite, onChange }: MutesProps) {
  const { mutes, rules } = draft
  const [transaction, setTransaction] = useState('')
  const [detector, setDetector] = useState('')
  const titles = new Map(rules.map(({ settings }) => [settings.id, settings.title]))
  const wanted = transaction.trim()
  const isThere = mutes.some((mute) => mute.transaction === wanted && mute.detector === detector)
  const add = (): void => {
    if (wanted === '' || isThere) return
    onChange({ ...draft, mutes: [...mutes, { detector, transaction: wanted }] })
    setTransaction('')
  }
  return (
    <Panel title="Muted transactions" content="rows">
      {mutes.length === 0 ? (
        <p className={styles.none}>No transaction is muted: findings of all of them become issues.</p>
      ) : (
        <ul>
          {mutes.map((mute) => (
            <li key={`${mute.detector} ${mute.transaction}`} className={styles.mute}>
              <code className={styles.name}>
                <VisibleText text={mute.transaction} />
              </code>
              <span className={styles.which}>
                {mute.detector === '' ? 'all rules' : (titles.get(mute.detector) ?? mute.detector)}
              </span>
              {mayWrite ? (
                <IconButton
                  icon={TrashIcon}
                  label={`No longer mute ${mute.transaction}`}
                  onClick={() => onChange({ ...draft, mutes: mutes.filter((one) => one !== mute) })}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayWrite ? (
        <form
          className={styles.add}
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <Input
            aria-label="Transaction"
            placeholder="GET /orders/*"
            mono
            maxLength={200}
            value={transaction}
            onValueChange={setTransaction}
          />
          <Select
            aria-label="Rule"
            value={detector}
            onValueChange={setDetector}
            options={[
              { value: '', label: 'All rules' },
              ...rules.map(({ settings }) => ({ value: settings.id, label: settings.title })),
            ]}
          />
          <Button type="submit" disabled={wanted === '' || isThere}>
            Mute
          </Button>
        </form>
      ) : null}
    </Panel>
  )
}
