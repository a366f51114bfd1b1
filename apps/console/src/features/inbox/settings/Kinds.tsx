import type { NoticeKind, NoticeSettings, Pace } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { Button, ChevronDownIcon, Panel, Picker, Select, type SelectOption } from '../../../ui/index.ts'
import { KIND_ORDER, KINDS } from '../model/kind-words.ts'
import type { LoadedSettings, SettingsChange } from './use-notice-settings.ts'
import styles from './Notifications.module.css'

type Way = 'inbox' | 'mail'

const WAYS: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'inbox', label: 'Inbox' },
  { way: 'mail', label: 'E-mail' },
]

const WORDS: Readonly<Record<Way, Readonly<Record<Pace, string>>>> = {
  inbox: { now: 'At once', digest: 'One line a day', never: 'Never' },
  mail: { now: 'At once', digest: 'Gathered', never: 'Never' },
}

/** Stands for no setting of the project's own. */
const AS_EVERYWHERE = 'as everywhere' as const

/** Each kind of news by each way, for all projects or one of them. */
export function Kinds({
  org,
  settings,
  defaults,
  onChange,
}: {
  readonly org: string
  readonly settings: NoticeSettings
  readonly defaults: LoadedSettings['defaults']
  readonly onChange: SettingsChange
}) {
  const { data: projects = [] } = useQuery(projectsQuery(org))
  /** Whose settings are shown; '' for those of all. */
  const [project, setProject] = useState('')
  const name = projects.find(({ id }) => id === project)?.name ?? 'all projects'
  const own = project === '' ? settings.kinds : (settings.projects[project] ?? {})
  const everywhere = (kind: NoticeKind, way: Way): Pace => settings.kinds[kind]?.[way] ?? defaults[kind][way]

  const choose = (kind: NoticeKind, way: Way, value: Pace | typeof AS_EVERYWHERE): void => {
    const { [way]: _before, ...rest } = own[kind] ?? {}
    const paces = value === AS_EVERYWHERE ? rest : { ...rest, [way]: value }
    const changed = { ...own, [kind]: paces }
    const words = `${KINDS[kind].label}, ${way === 'mail' ? 'e-mail' : 'inbox'}: ${
      value === AS_EVERYWHERE ? 'as everywhere' : WORDS[way][value].toLowerCase()
    }`
    onChange(
      project === '' ? { kinds: changed } : { projects: { ...settings.projects, [project]: changed } },
      project === '' ? words : `${words}, for ${name}`,
    )
  }
  const options = (kind: NoticeKind, way: Way): readonly SelectOption<Pace | typeof AS_EVERYWHERE>[] => [
    ...(project === ''
      ? []
      : [{ value: AS_EVERYWHERE, label: `As everywhere (${WORDS[way][everywhere(kind, way)].toLowerCase()})` }]),
    ...(['now', 'digest', 'never'] as const)
      // A week is gathered already.
      .filter((pace) => !(kind === 'weekly' && pace === 'digest'))
      .map((pace) => ({ value: pace, label: WORDS[way][pace] })),
  ]
  return (
    <Panel
      title="What, and by which way"
      content="rows"
      actions={
        <Picker
          label="Settings for"
          align="end"
          options={[
            { value: '', label: 'All projects' },
            ...projects.map(({ id, name: label }) => ({
              value: id,
              label,
              ...(Object.keys(settings.projects[id] ?? {}).length > 0 && { hint: 'has its own' }),
            })),
          ]}
          value={project}
          onPick={setProject}
          trigger={
            <Button size="small" aria-label={`Settings for ${name}`}>
              {project === '' ? 'All projects' : name}
              <ChevronDownIcon size={14} />
            </Button>
          }
        />
      }
    >
      <Table
        kinds={KIND_ORDER.filter((kind) => project === '' || (kind !== 'weekly' && kind !== 'system'))}
        options={options}
        value={(kind, way) => own[kind]?.[way] ?? (project === '' ? everywhere(kind, way) : AS_EVERYWHERE)}
        onChoose={choose}
      />
      <p className={styles.note}>
        What you do yourself is never told to you. Gathered mail comes at once the first time, then together. What is
        urgent is never gathered: an alert that is fatal or got worse, a value far beyond its limit, a new issue that is
        fatal, and an issue of high priority that is yours and came back or got worse.
      </p>
    </Panel>
  )
}

type Choice = Pace | typeof AS_EVERYWHERE

function Table({
  kinds,
  options,
  value,
  onChoose,
}: {
  readonly kinds: readonly NoticeKind[]
  readonly options: (kind: NoticeKind, way: Way) => readonly SelectOption<Choice>[]
  readonly value: (kind: NoticeKind, way: Way) => Choice
  readonly onChoose: (kind: NoticeKind, way: Way, choice: Choice) => void
}) {
  return (
    <table className={styles.kinds}>
      <thead>
        <tr>
          <th scope="col">What</th>
          {WAYS.map(({ way, label }) => (
            <th key={way} scope="col" className={styles.way}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">
              <span className={styles.name}>{KINDS[kind].label}</span>
              <span className={styles.help}>{KINDS[kind].help}</span>
            </th>
            {WAYS.map(({ way, label }) => (
              <td key={way} className={styles.way}>
                <span className={styles.label} aria-hidden>
                  {label}
                </span>
                <Select
                  aria-label={`${KINDS[kind].label}: ${label}`}
                  options={options(kind, way)}
                  value={value(kind, way)}
                  onValueChange={(chosen) => onChoose(kind, way, chosen)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
