import type { Issue, IssueTelling } from '@firsthand/contract'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'

import { organizationKeys } from '../../../lib/query-keys.ts'
import {
  Avatar,
  Button,
  Checkbox,
  Dialog,
  Input,
  Loaded,
  Notice,
  SegmentedControl,
  Select,
  SkeletonRows,
  Textarea,
  toast,
  useChanges,
  useShortcut,
} from '../../../ui/index.ts'
import type { StatusChoice } from '../../issues/index.ts'
import {
  awaitedRelease,
  beginningOf,
  changeOf,
  doneWords,
  problemOf,
  resolveLabel,
  type Resolution,
  tellingOf,
  toldWords,
} from '../model/resolution.ts'
import { languageWords, notToldWords, readAs, wayWords, writerName } from '../model/said-words.ts'
import { changeTelling, tellingQuery } from '../said/queries.ts'
import styles from './ResolveDialog.module.css'

export interface ResolveDialogProps {
  readonly org: string
  readonly issue: Pick<Issue, 'id' | 'shortId'>
  /** What was chosen in the menu; null when what waits already is changed. */
  readonly choice: StatusChoice | null
  readonly onResolve: (choice: StatusChoice, description: string) => void
  readonly onClose: () => void
}

/** Who hears that an issue is resolved, what they read, and when: asked before they do, and until it is sent. */
export function ResolveDialog(props: ResolveDialogProps) {
  const { org, issue, choice, onClose } = props
  const query = useQuery(tellingQuery(org, issue.id, namesRelease(choice)))
  return (
    <Loaded
      query={query}
      failed="Who is told could not be loaded"
      outline={
        <Dialog open onOpenChange={onClose} title={titleOf(props)}>
          <SkeletonRows rows={6} />
        </Dialog>
      }
    >
      {(telling) => <Choices {...props} telling={telling} />}
    </Loaded>
  )
}

const titleOf = ({ choice, issue }: Pick<ResolveDialogProps, 'choice' | 'issue'>): string =>
  choice === null ? `Who is told about ${issue.shortId}` : `Resolve ${issue.shortId}`

const namesRelease = (choice: StatusChoice | null): boolean =>
  choice?.change.statusDetails?.inNextRelease === true || choice?.change.statusDetails?.inRelease !== undefined

function Choices({
  org,
  issue,
  choice,
  telling: given,
  onResolve,
  onClose,
}: ResolveDialogProps & { readonly telling: IssueTelling }) {
  const client = useQueryClient()
  const [resolution, setResolution] = useState(() => beginningOf(choice?.change ?? null, given))
  const set = (change: Partial<Resolution>) => setResolution((now) => ({ ...now, ...change }))
  const { data: telling = given } = useQuery(
    tellingQuery(org, issue.id, resolution.where !== 'now' || resolution.when === 'release'),
  )
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: organizationKeys.all(org) }))
  const everybody = peopleOf(telling)
  const people =
    everybody.filter(({ id }) => !resolution.except.includes(id)).length + telling.total - telling.people.length
  const problem = problemOf(resolution)

  const send = async (): Promise<void> => {
    if (problem !== null || busy) return
    if (choice !== null) {
      onResolve({ change: changeOf(resolution), done: doneWords(resolution) }, toldWords(resolution, people))
      return
    }
    const saved = await during('The change', () => changeTelling(org, issue.id, tellingOf(resolution)))
    if (saved === null) return
    toast({ title: toldWords(resolution, people) })
    onClose()
  }

  useShortcut('mod+Enter', () => void send(), {
    label: 'Resolve, as it is chosen',
    group: 'Issue',
    inInputs: true,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={titleOf({ choice, issue })}
      onSubmit={() => void send()}
      footer={
        <>
          {people === 0 || resolution.when === 'never' ? null : (
            <span className={styles.undo}>Undo works until it is sent</span>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" kbd="mod+Enter" busy={busy} disabled={problem !== null}>
            {resolveLabel(resolution, people, choice === null)}
          </Button>
        </>
      }
    >
      <div className={styles.parts}>
        {choice === null ? null : <Where resolution={resolution} newest={telling.newestRelease} onChange={set} />}
        <Who telling={telling} everybody={everybody} resolution={resolution} people={people} onChange={set} />
        {people === 0 || resolution.when === 'never' ? null : (
          <What telling={telling} resolution={resolution} onChange={set} />
        )}
        <When resolution={resolution} people={people} onChange={set} />
        {problem === null ? null : <Notice tone="info">{problem}</Notice>}
      </div>
    </Dialog>
  )
}

interface PartProps {
  readonly resolution: Resolution
  readonly onChange: (change: Partial<Resolution>) => void
}

function Choice({
  value,
  children,
  hint,
}: {
  readonly value: string
  readonly children: ReactNode
  readonly hint?: ReactNode
}) {
  return (
    <label className={styles.choice}>
      <Radio.Root value={value} className={styles.radio}>
        <Radio.Indicator className={styles.indicator} />
      </Radio.Root>
      <span className={styles.label}>{children}</span>
      {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
    </label>
  )
}

function Where({ resolution, newest, onChange }: PartProps & { readonly newest: string | null }) {
  return (
    <section className={styles.part} aria-label="Since when it is resolved">
      <RadioGroup
        aria-label="Since when it is resolved"
        value={resolution.where}
        onValueChange={(where: Resolution['where']) =>
          onChange({
            where,
            ...(resolution.when === 'never' ? {} : { when: where === 'now' ? 'now' : 'release' }),
          })
        }
        className={styles.choices}
      >
        <Choice value="now">Now</Choice>
        <Choice value="release" hint={newest === null ? undefined : `newest is ${newest}`}>
          In a release
        </Choice>
        {resolution.where === 'release' ? <Version resolution={resolution} onChange={onChange} /> : null}
        <Choice value="next" hint="whichever comes">
          In the next release
        </Choice>
      </RadioGroup>
    </section>
  )
}

function Version({ resolution, onChange }: PartProps) {
  return (
    <Input
      aria-label="Release"
      placeholder="2026.11.3"
      mono
      maxLength={250}
      className={styles.version}
      value={resolution.version}
      onValueChange={(version) => onChange({ version })}
    />
  )
}

interface Somebody {
  readonly id: string
  readonly name: string
  readonly email: string
  /** How they are reached; null for those who were left out before. */
  readonly way: string | null
}

/** Those who are told, and those whom somebody left out of it and may take in again. */
function peopleOf(telling: IssueTelling): readonly Somebody[] {
  const out = telling.notTold
    .filter(({ why }) => why === 'left_out')
    .map(({ id, name, email }) => ({ id, name, email, way: null }))
  return [...telling.people.map((person) => ({ ...person, way: wayWords(person) })), ...out]
}

function Who({
  telling,
  everybody,
  resolution,
  people,
  onChange,
}: PartProps & { readonly telling: IssueTelling; readonly everybody: readonly Somebody[]; readonly people: number }) {
  const toggle = (id: string, isTold: boolean) =>
    onChange({ except: isTold ? resolution.except.filter((one) => one !== id) : [...resolution.except, id] })
  const others = telling.notTold.filter(({ why }) => why !== 'left_out')
  const unnamed = telling.total - telling.people.length
  return (
    <section className={styles.part} aria-label="Who is told">
      <h3 className={styles.head}>
        {resolution.when === 'never' ? 'Tells nobody' : `Tells ${people} ${people === 1 ? 'person' : 'people'}`}
      </h3>
      <ul className={styles.people}>
        {everybody.map((person) => (
          <li key={person.id}>
            <label className={styles.person}>
              <Checkbox
                aria-label={`Tell ${writerName(person)}`}
                disabled={resolution.when === 'never'}
                checked={!resolution.except.includes(person.id)}
                onCheckedChange={(checked) => toggle(person.id, checked)}
              />
              <Avatar name={person.name === '' && person.email === '' ? null : writerName(person)} />
              <span className={styles.name}>{writerName(person)}</span>
              <span className={styles.hint}>{person.way ?? 'left out'}</span>
            </label>
          </li>
        ))}
      </ul>
      {unnamed > 0 ? <p className={styles.hint}>and {unnamed} more</p> : null}
      {others.length === 0 ? null : (
        <details className={styles.others}>
          <summary>
            {telling.notToldTotal - (telling.notTold.length - others.length)} who wrote{' '}
            {others.length === 1 ? 'is' : 'are'} not told
          </summary>
          <ul className={styles.people}>
            {others.map((person) => (
              <li key={person.id} className={styles.person}>
                <span className={styles.name}>{writerName(person)}</span>
                <span className={styles.hint}>{notToldWords(person.why)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function What({ telling, resolution, onChange }: PartProps & { readonly telling: IssueTelling }) {
  const texts = mostReadFirst(telling.texts)
  const [language, setLanguage] = useState(texts[0]?.language ?? 'en')
  const [isPreview, setIsPreview] = useState(false)
  const usual = telling.texts.find((text) => text.language === language)
  const text = resolution.texts[language] ?? usual?.text ?? ''
  const reader = telling.people.find((person) => person.language === language) ?? telling.people[0]
  const write = (value: string) => {
    const { [language]: _before, ...others } = resolution.texts
    onChange({ texts: value === usual?.text || value.trim() === '' ? others : { ...others, [language]: value } })
  }
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = (placeholder: string) => {
    const { selectionEnd, selectionStart } = field.current ?? { selectionStart: text.length, selectionEnd: text.length }
    write(`${text.slice(0, selectionStart)}${placeholder}${text.slice(selectionEnd)}`)
    field.current?.focus()
  }
  return (
    <section className={styles.part} aria-label="What they read">
      <div className={styles.head}>
        <h3>What they read</h3>
        <Languages texts={texts} value={language} onChange={setLanguage} />
      </div>
      {isPreview && reader !== undefined ? (
        <p className={styles.preview} dir="auto" lang={language}>
          {readAs(text, reader, awaitedRelease(resolution))}
        </p>
      ) : (
        <Textarea
          ref={field}
          aria-label={`What they read in ${languageWords(language)}`}
          rows={4}
          maxLength={4000}
          lang={language}
          dir="auto"
          value={text}
          onValueChange={write}
        />
      )}
      <p className={styles.below}>
        <span className={styles.hint}>
          {isPreview ? null : <Placeholders onInsert={insert} />} Nothing from the issue is sent.
        </span>
        {reader === undefined ? null : (
          <button type="button" className={styles.see} onClick={() => setIsPreview(!isPreview)}>
            {isPreview ? 'Go on writing' : `See it as ${writerName(reader)} does`}
          </button>
        )}
      </p>
    </section>
  )
}

/** Those that most people read come first; of as many, that of this console. */
const mostReadFirst = (texts: IssueTelling['texts']): IssueTelling['texts'] =>
  texts.toSorted(
    (left, right) => right.people - left.people || Number(right.language === 'en') - Number(left.language === 'en'),
  )

/** So many have room side by side. */
const LANGUAGES_SIDE_BY_SIDE = 3

function Languages({
  texts,
  value,
  onChange,
}: {
  readonly texts: IssueTelling['texts']
  readonly value: string
  readonly onChange: (language: string) => void
}) {
  if (texts.length < 2) return null
  const options = texts.map(({ language }) => ({ value: language, label: languageWords(language) }))
  return texts.length <= LANGUAGES_SIDE_BY_SIDE ? (
    <SegmentedControl aria-label="Language" value={value} onValueChange={onChange} options={options} />
  ) : (
    <div className={styles.languages}>
      <Select aria-label="Language" value={value} onValueChange={onChange} options={options} />
    </div>
  )
}

const PLACEHOLDERS = [
  { text: '{name}', label: 'name' },
  { text: '{quote}', label: 'what they wrote' },
] as const

/** What differs from person to person: where it stands in the text, it is filled in. */
function Placeholders({ onInsert }: { readonly onInsert: (placeholder: string) => void }) {
  return (
    <>
      {PLACEHOLDERS.map(({ label, text }) => (
        <button
          key={text}
          type="button"
          className={styles.chip}
          aria-label={`Insert ${text}`}
          onClick={() => onInsert(text)}
        >
          <code>{text}</code> {label}
        </button>
      ))}{' '}
      are filled in for each person.
    </>
  )
}

function When({ resolution, people, onChange }: PartProps & { readonly people: number }) {
  return (
    <section className={styles.part} aria-label="When they are told">
      <h3 className={styles.head}>When</h3>
      <RadioGroup
        aria-label="When they are told"
        value={resolution.when}
        onValueChange={(when: Resolution['when']) => onChange({ when })}
        className={styles.choices}
      >
        <Choice value="now">In 10 minutes</Choice>
        <Choice value="release">When {awaitedRelease(resolution)} is first seen</Choice>
        {resolution.when === 'release' && resolution.where === 'now' ? (
          <Version resolution={resolution} onChange={onChange} />
        ) : null}
        <Choice value="never">{people === 1 ? 'Do not tell them' : 'Do not tell anybody'}</Choice>
      </RadioGroup>
    </section>
  )
}
