import type { Profile } from '@firsthand/contract'
import { useMemo } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { CopyButton, VisibleText } from '../../../ui/index.ts'
import type { FlameView } from '../flame-view.ts'
import { type Neighbour, neighboursOf } from '../model/functions.ts'
import styles from './FunctionDetails.module.css'

const KIND_WORDS = ['own code', 'library', 'runtime'] as const
const NEIGHBOURS = 8

/** Beside the graph: the selected function, or what the profile came to. */
export function FunctionDetails({ profile, view }: { readonly profile: Profile; readonly view: FlameView }) {
  return view.frame === -1 ? <Summary profile={profile} view={view} /> : <Selected view={view} frame={view.frame} />
}

function Facts({ facts }: { readonly facts: readonly (readonly [value: string, what: string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([value, what]) => (
        <div key={what}>
          <dd className={styles.value}>{value}</dd>
          <dt className={styles.what}>{what}</dt>
        </div>
      ))}
    </dl>
  )
}

const percent = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (part / whole) * 100
  return share > 0 && share < 1 ? '<1%' : `${Math.round(share)}%`
}

function Selected({ view, frame }: { readonly view: FlameView; readonly frame: number }) {
  const { functions, model, summed } = view
  const { callees, callers } = useMemo(() => neighboursOf(summed, model.frames, frame), [summed, model, frame])
  const [total, self] = [functions.total[frame] as number, functions.self[frame] as number]
  const name = model.name[frame] ?? ''
  const place = model.place[frame] ?? ''
  return (
    <>
      <h2 className={styles.title}>
        <VisibleText text={name} />
      </h2>
      <p className={styles.place}>
        <VisibleText text={place || 'native'} /> · {KIND_WORDS[model.kind[frame] ?? 0]}
        {place === '' ? null : <CopyButton text={place} label="place" />}
      </p>
      <Facts
        facts={[
          [formatSpent(total / 1000), `total, ${percent(total, model.ran)}`],
          [formatSpent(self / 1000), `self, ${percent(self, model.ran)}`],
        ]}
      />
      <Neighbours title="Called by" view={view} neighbours={callers} most={total} nobody="nobody: it began here" />
      <Neighbours
        title="Calls"
        view={view}
        neighbours={self > 0 ? [...callees, { frame: -1, time: self }] : callees}
        most={total}
        nobody="self"
      />
    </>
  )
}

function Neighbours({
  title,
  view,
  neighbours,
  most,
  nobody,
}: {
  readonly title: string
  readonly view: FlameView
  readonly neighbours: readonly Neighbour[]
  readonly most: number
  /** What stands for the frame -1. */
  readonly nobody: string
}) {
  const { model } = view
  const shown = neighbours.toSorted((one, other) => other.time - one.time).slice(0, NEIGHBOURS)
  return (
    <section className={styles.part}>
      <h3 className={styles.heading}>{title}</h3>
      {shown.length === 0 ? <p className={styles.muted}>Nothing.</p> : null}
      <ul className={styles.neighbours}>
        {shown.map(({ frame, time }) => (
          <li key={frame} className={styles.neighbour}>
            {frame === -1 ? (
              <span className={styles.muted}>{nobody}</span>
            ) : (
              <button type="button" className={styles.choose} onClick={() => view.selectFrame(frame)}>
                <VisibleText text={model.name[frame] ?? ''} />
              </button>
            )}
            <span
              className={styles.bar}
              data-kind={frame === -1 ? model.kind[view.frame] : model.kind[frame]}
              style={{ width: `${most === 0 ? 0 : Math.max(2, (time / most) * 100)}%` }}
            />
            <span className={styles.time}>{formatSpent(time / 1000)}</span>
          </li>
        ))}
      </ul>
      {neighbours.length > shown.length ? (
        <p className={styles.muted}>{formatCount(neighbours.length - shown.length)} more took less.</p>
      ) : null}
    </section>
  )
}

/** Without a selection: how much of what there is. */
function Summary({ profile, view }: { readonly profile: Profile; readonly view: FlameView }) {
  const { functions, model } = view
  const times = [0, 0, 0]
  for (const frame of functions.bySelf) {
    const kind = model.kind[frame] ?? 0
    times[kind] = (times[kind] ?? 0) + (functions.self[frame] as number)
  }
  const about: readonly (readonly [string, string])[] = [
    ['release', profile.release],
    ['environment', profile.environment],
    ['platform', profile.platform],
    ['runtime', profile.runtime],
    ['device', profile.device],
    ['SDK', profile.sdk],
  ]
  return (
    <>
      <h2 className={styles.title}>Where the time went</h2>
      <Facts
        facts={[
          [formatSpent(model.ran / 1000), 'code ran'],
          ...(model.waited > 0 ? [[formatSpent(model.waited / 1000), 'waiting'] as const] : []),
          [formatCount(model.samples), model.samples === 1 ? 'sample' : 'samples'],
        ]}
      />
      <ul className={styles.kinds}>
        {KIND_WORDS.map((word, kind) => (
          <li key={word} className={styles.neighbour}>
            <span>{word}</span>
            <span
              className={styles.bar}
              data-kind={kind}
              style={{ width: `${model.ran === 0 ? 0 : ((times[kind] ?? 0) / model.ran) * 100}%` }}
            />
            <span className={styles.time}>{percent(times[kind] ?? 0, model.ran)}</span>
          </li>
        ))}
      </ul>
      {profile.notes.length === 0 ? null : (
        <section className={styles.part}>
          <h3 className={styles.heading}>Notes</h3>
          {profile.notes.map((note) => (
            <p key={note}>
              <VisibleText text={note} />
            </p>
          ))}
        </section>
      )}
      <section className={styles.part}>
        <h3 className={styles.heading}>Profile</h3>
        <dl>
          {about
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <div key={name} className={styles.attribute}>
                <dt className={styles.muted}>{name}</dt>
                <dd className={styles.text}>
                  <VisibleText text={value} />
                </dd>
              </div>
            ))}
        </dl>
      </section>
    </>
  )
}
