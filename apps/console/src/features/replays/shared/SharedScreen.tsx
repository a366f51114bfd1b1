import { useEffect, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { Button, EmptyState, ErrorState, EyeOffIcon, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { LinkIcon } from '../components/glyphs.tsx'
import { PlayedReplay } from '../components/PlayedReplay.tsx'
import { factsOf } from '../model/facts.ts'
import { momentOf, readReplaySearch } from '../model/replay-search.ts'
import { useReplay } from '../player/use-replay.ts'
import { linkHere } from '../replay-keys.ts'
import { readFile, readLink, type SharedSource } from './read-shared.ts'
import { SharedAside } from './SharedAside.tsx'
import styles from './SharedScreen.module.css'

/** A replay for people without an account, on the page of a link or in a file. */
export function SharedScreen() {
  const [source, setSource] = useState<SharedSource | null>(() => readFile(document))
  const [problem, setProblem] = useState<unknown>(null)
  const isFile = source !== null && source.expiresAt === null
  useEffect(() => {
    if (isFile) return
    readLink(location.pathname.split('/')[2] ?? '').then(setSource, setProblem)
  }, [isFile])
  if (problem !== null) return <Failed problem={problem} />
  return source === null ? <SkeletonRows rows={20} label="Loading the replay" /> : <Shared source={source} />
}

function Failed({ problem }: { readonly problem: unknown }) {
  const { detail } = describeError(problem)
  return (
    <main className={styles.failed}>
      {(problem as { readonly status?: number }).status === 404 ? (
        <EmptyState page icon={EyeOffIcon} title="This link no longer works">
          <p>{detail}</p>
        </EmptyState>
      ) : (
        <ErrorState page title="The replay could not be loaded" detail={detail} onRetry={() => location.reload()} />
      )}
    </main>
  )
}

function Shared({ source }: { readonly source: SharedSource }) {
  const { chunks, expiresAt, openFilm, playback, still } = source
  const { assets, startedAt, finishedAt } = playback
  const search = Object.fromEntries(new URLSearchParams(location.search))
  const opened = useReplay(chunks, playback, momentOf(readReplaySearch(search), startedAt, finishedAt), openFilm)
  if (opened === null) return <SkeletonRows rows={20} label="Loading the player" />
  return (
    <main>
      <PlayedReplay
        playback={playback}
        opened={opened}
        still={still}
        linkTo={expiresAt === null ? null : linkHere}
        renderAside={({ rows }) => <SharedAside playback={playback} opened={opened} rows={rows} />}
      >
        {({ copyLink }) => (
          <header className={styles.header}>
            <div className={styles.text}>
              <p className={styles.crumb}>
                Recorded visit
                {assets.leftOut > 0 &&
                  ` · ${formatCount(assets.leftOut)} of its images, fonts and style sheets are too large to be shown here`}
              </p>
              <h1 className={styles.title}>
                <time dateTime={new Date(startedAt).toISOString()} title={formatExact(startedAt)}>
                  {formatMoment('weekday', startedAt)}, {formatMoment('clock', startedAt)}
                </time>
                <span className={styles.facts}>
                  {factsOf(playback).map((fact) => (
                    <span key={fact}>
                      <VisibleText text={fact} />
                    </span>
                  ))}
                </span>
              </h1>
            </div>
            {expiresAt === null ? (
              <p className={styles.until}>A file: it plays without a network</p>
            ) : (
              <div className={styles.actions}>
                <p className={styles.until} title={formatExact(Date.parse(expiresAt))}>
                  This link ends on {formatMoment('weekday', Date.parse(expiresAt))}
                </p>
                <Button icon={LinkIcon} kbd="y" onClick={copyLink}>
                  Copy link to this moment
                </Button>
              </div>
            )}
          </header>
        )}
      </PlayedReplay>
    </main>
  )
}
