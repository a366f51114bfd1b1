import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, CloseIcon, FilterButton, MultiPicker, Picker, PlusIcon, Select } from '../../../ui/index.ts'
import { completionsOf, useAttributes } from '../../search/attributes/index.ts'
import { SearchBar } from '../../search/index.ts'
import { type AttributeOption, offeredAttributes, searchKeysOf } from '../model/attributes.ts'
import { type Dataset, datasetOf } from '../model/datasets.ts'
import { isEquation, withReplaced, writtenEquation } from '../model/equations.ts'
import { type ExploreSearch, type INTERVALS, isCatalogue } from '../model/explore-search.ts'
import { functionsOf, letterOf, nextFunction, readFunction, withFunction, writeFunction } from '../model/functions.ts'
import { titleOf } from '../model/metrics.ts'
import { tagsQuery } from '../queries.ts'
import { EquationChip } from './EquationChip.tsx'
import type { Change } from './ExploreScreen.tsx'
import { MetricPicker } from './MetricPicker.tsx'
import styles from './QuestionBar.module.css'

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}

const MAX_FUNCTIONS = 6
const NONE: readonly string[] = []
const COMPLETIONS = {
  spans: completionsOf('spans'),
  logs: completionsOf('logs'),
  tracemetrics: completionsOf('tracemetrics'),
}

const STEPS = [
  { value: '', label: 'Step: automatic' },
  { value: '1m', label: 'Every 1 min' },
  { value: '5m', label: 'Every 5 min' },
  { value: '15m', label: 'Every 15 min' },
  { value: '1h', label: 'Every hour' },
  { value: '4h', label: 'Every 4 hours' },
  { value: '1d', label: 'Every day' },
] as const satisfies readonly { readonly value: '' | (typeof INTERVALS)[number]; readonly label: string }[]

/** What is asked: functions, groups, conditions. */
export function QuestionBar({ org, search, onChange }: Props) {
  const dataset = datasetOf(search.dataset)
  const scope = { org, project: search.project }
  const isErrors = search.dataset === 'errors'
  const sent = useAttributes(scope, search.dataset, !isErrors)
  const { data: tags = NONE } = useQuery({ ...tagsQuery(org, search), enabled: isErrors })
  const attributes = offeredAttributes(dataset, sent, isErrors ? tags : NONE)
  return (
    <div className={styles.bar}>
      {search.dataset === 'tracemetrics' ? (
        <>
          <span className={styles.label}>Metric</span>
          <div className={styles.row}>
            <MetricPicker org={org} search={search} onChange={onChange} />
          </div>
        </>
      ) : null}
      {isCatalogue(search) ? null : (
        <Asked dataset={dataset} attributes={attributes} search={search} onChange={onChange} />
      )}
      <span className={styles.label}>Where</span>
      <div className={styles.row}>
        <SearchBar
          label={`Search ${dataset.things}`}
          hint={dataset.hint}
          value={search.query}
          keys={searchKeysOf(dataset)}
          scope={scope}
          {...(search.dataset !== 'errors' && { completions: COMPLETIONS[search.dataset] })}
          onSearch={(query) => onChange({ query })}
        />
      </div>
    </div>
  )
}

/** What is computed, and in which groups. */
function Asked({
  dataset,
  attributes,
  search,
  onChange,
}: {
  readonly dataset: Dataset
  readonly attributes: readonly AttributeOption[]
  readonly search: ExploreSearch
  readonly onChange: Change
}) {
  return (
    <>
      <span className={styles.label}>Visualise</span>
      <div className={styles.row}>
        <Functions dataset={dataset} attributes={attributes} search={search} onChange={onChange} />
      </div>
      <span className={styles.label}>Group by</span>
      <div className={styles.row}>
        <MultiPicker
          label="Group by"
          emptyText="No attribute has that name."
          options={attributes.map(({ key, label, hint }) => ({ value: key, label: label ?? key, hint }))}
          values={search.group}
          onValuesChange={(group) => onChange({ group, sort: '' })}
          trigger={
            <FilterButton
              name="Group by"
              className={styles.code ?? ''}
              text={search.group.length === 0 ? 'nothing' : search.group.join(', ')}
            />
          }
        />
        {search.group.length === 0 ? null : (
          <Select
            look="bar"
            aria-label="How many lines"
            value={search.top}
            options={[
              { value: '5', label: 'Top 5' },
              { value: '10', label: 'Top 10' },
            ]}
            onValueChange={(top) => onChange({ top })}
          />
        )}
        <Select
          look="bar"
          aria-label="Every"
          value={STEPS.find(({ value }) => value === search.interval)?.value ?? ''}
          options={STEPS}
          onValueChange={(interval) => onChange({ interval })}
        />
      </div>
    </>
  )
}

function Functions({
  dataset,
  attributes,
  search: { visualise },
  onChange,
}: {
  readonly dataset: Dataset
  readonly attributes: readonly AttributeOption[]
  readonly search: ExploreSearch
  readonly onChange: Change
}) {
  const [isAdding, setIsAdding] = useState(false)
  const replaced = (place: number, text: string) =>
    onChange({ visualise: withReplaced(visualise, place, text), sort: '' })
  const next = nextFunction(dataset, visualise)
  const hasRoom = visualise.length < MAX_FUNCTIONS && !isAdding
  return (
    <>
      {visualise.map((text, place) => {
        const shared = {
          letter: letterOf(place),
          onReplace: (wanted: string) => replaced(place, wanted),
          onRemove:
            visualise.length === 1
              ? undefined
              : () => onChange({ visualise: visualise.filter((_, at) => at !== place), sort: '' }),
        }
        return isEquation(text) ? (
          <EquationChip
            // Its letters change with what stands before it.
            key={writtenEquation(text, visualise)}
            {...shared}
            place={place}
            visualise={visualise}
            written={writtenEquation(text, visualise)}
          />
        ) : (
          <FunctionChip key={text} {...shared} dataset={dataset} attributes={attributes} text={text} />
        )
      })}
      {isAdding ? (
        <EquationChip
          letter={letterOf(visualise.length)}
          place={visualise.length}
          visualise={visualise}
          written=""
          onReplace={(equation) => {
            setIsAdding(false)
            onChange({ visualise: [...new Set([...visualise, equation])] })
          }}
          onRemove={() => setIsAdding(false)}
        />
      ) : null}
      {next === null || !hasRoom ? null : (
        <Button
          variant="ghost"
          icon={PlusIcon}
          className={styles.add}
          onClick={() => onChange({ visualise: [...visualise, next] })}
        >
          function
        </Button>
      )}
      {!hasRoom ? null : (
        <Button variant="ghost" icon={PlusIcon} className={styles.add} onClick={() => setIsAdding(true)}>
          equation
        </Button>
      )}
    </>
  )
}

function FunctionChip({
  dataset,
  attributes,
  text,
  letter,
  onReplace,
  onRemove,
}: {
  readonly dataset: Dataset
  readonly attributes: readonly AttributeOption[]
  readonly text: string
  readonly letter: string
  readonly onReplace: (text: string) => void
  readonly onRemove: (() => void) | undefined
}) {
  const chosen = readFunction(dataset, text)
  return (
    <span className={styles.chip} role="group" aria-label={`${letter}: ${titleOf(text)}`}>
      <span className={styles.letter} aria-hidden="true">
        {letter}
      </span>
      {chosen === null ? (
        <code className={styles.given}>{titleOf(text)}</code>
      ) : (
        <>
          <Picker
            label={`Function ${letter}`}
            options={functionsOf(dataset, chosen.metric).map(({ name, hint }) => ({ value: name, label: name, hint }))}
            value={chosen.option.name}
            onPick={(name) => {
              const option = functionsOf(dataset, chosen.metric).find((one) => one.name === name)
              if (option !== undefined) onReplace(withFunction(chosen, option))
            }}
            trigger={
              <button
                type="button"
                className={styles.function}
                aria-label={`Function ${letter}: ${chosen.option.name}`}
              >
                {chosen.option.name}
              </button>
            }
          />
          {chosen.attribute === null ? (
            <span className={styles.empty}>({chosen.metric?.name ?? ''})</span>
          ) : (
            <Picker
              label={`Attribute of ${letter}`}
              emptyText="No attribute has that name."
              options={attributes.map(({ key, label, hint }) => ({ value: key, label: label ?? key, hint }))}
              value={chosen.attribute}
              onPick={(attribute) => onReplace(writeFunction(chosen.option, attribute))}
              trigger={
                <button
                  type="button"
                  className={styles.attribute}
                  aria-label={`Attribute of ${letter}: ${chosen.attribute}`}
                >
                  ({chosen.attribute})
                </button>
              }
            />
          )}
        </>
      )}
      {onRemove === undefined ? null : (
        <button
          type="button"
          className={styles.remove}
          aria-label={`Remove ${letter}: ${titleOf(text)}`}
          onClick={onRemove}
        >
          <CloseIcon size={12} />
        </button>
      )}
    </span>
  )
}
