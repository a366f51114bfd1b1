import { Field, Input, Panel, Switch } from '../../../ui/index.ts'
import { type Draft, MOST_SEEN, numberError, type RuleDraft } from '../model/draft.ts'
import styles from './ProjectFindings.module.css'

interface PanelProps {
  readonly draft: Draft
  readonly mayWrite: boolean
  readonly onChange: (draft: Draft) => void
}

const UNITS = { ms: 'ms', bytes: 'bytes', percent: '%', count: '' } as const

export function RulesPanel({ draft, mayWrite, onChange }: PanelProps) {
  const change = (rule: RuleDraft, next: Partial<RuleDraft>): void =>
    onChange({ ...draft, rules: draft.rules.map((one) => (one === rule ? { ...one, ...next } : one)) })
  return (
    <Panel title="Rules" subtitle="what is looked for in spans" content="rows">
      <ul className={styles.rules}>
        {draft.rules.map((rule) => (
          <Rule key={rule.settings.id} rule={rule} mayWrite={mayWrite} onChange={(next) => change(rule, next)} />
        ))}
      </ul>
    </Panel>
  )
}

interface RuleProps {
  readonly rule: RuleDraft
  readonly mayWrite: boolean
  readonly onChange: (next: Partial<RuleDraft>) => void
}

function Rule({ rule, mayWrite, onChange }: RuleProps) {
  const { enabled, seen, settings, values } = rule
  return (
    <li className={styles.rule}>
      <Switch
        checked={enabled}
        disabled={!mayWrite}
        label={settings.title}
        help={settings.rule}
        onCheckedChange={(checked) => onChange({ enabled: checked })}
      />
      {enabled ? (
        <div className={styles.numbers}>
          {settings.thresholds.map(({ name, label, unit, min, max }) => (
            <Field key={name} label={label} error={numberError(values[name] ?? '', min, max)}>
              <Input
                inputMode="decimal"
                disabled={!mayWrite}
                value={values[name] ?? ''}
                onValueChange={(value) => onChange({ values: { ...values, [name]: value } })}
                trailing={UNITS[unit] === '' ? undefined : <span className={styles.unit}>{UNITS[unit]}</span>}
              />
            </Field>
          ))}
          {settings.perTrace ? (
            <Field label="Seen a day to be an issue" error={numberError(seen, 1, MOST_SEEN, true)}>
              <Input
                inputMode="numeric"
                disabled={!mayWrite}
                value={seen}
                onValueChange={(value) => onChange({ seen: value })}
                trailing={<span className={styles.unit}>times</span>}
              />
            </Field>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}
