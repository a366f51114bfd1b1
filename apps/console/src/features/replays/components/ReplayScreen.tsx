import { ApiError, type ReplayPlayback } from '@firsthand/contract'
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ButtonLink, EmptyState, ErrorState, PageHeader, SearchIcon, SkeletonRows } from '../../../ui/index.ts'
import { momentOf } from '../model/replay-search.ts'
import { serverSource } from '../player/server-source.ts'
import { endFirstPicture } from '../first-picture.ts'
import { kindOf, type OpenedReplay, type OpenFilm, useReplay } from '../player/use-replay.ts'
import { useHeld } from '../hang/Held.tsx'
import { useLive } from '../live.ts'
import { chunksQuery, playbackQuery, useNoteViewed } from '../queries.ts'
import { linkHere } from '../replay-keys.ts'
import { Aside } from '../tabs/Aside.tsx'
import { Lit } from './Lit.tsx'
import { PlayedReplay } from './PlayedReplay.tsx'
import { Poster } from './Poster.tsx'
import { ReplayHeader, titleOf } from './ReplayHeader.tsx'

const ID_CHARACTERS = 8

export function ReplayScreen() {
  const { org, replay } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { data, error, refetch } = useQuery(playbackQuery(org, replay))
  usePrefetchQuery(chunksQuery(org, replay))
  useLive(org, data)
  const shows = data !== undefined && !data.replay.is_archived
  useEffect(() => {
    if (error !== null || (data !== undefined && !shows)) endFirstPicture(replay)
    return () => endFirstPicture(replay)
  }, [data, error, replay, shows])
  if (data === undefined || data.replay.is_archived) {
    const isMissing = error instanceof ApiError && error.status === 404
    return (
      <>
        <PageHeader title={`Replay ${replay.slice(0, ID_CHARACTERS)}`} />
        {data !== undefined ? (
          <Nothing org={org} title="This replay was deleted">
            Somebody removed it with everything that was recorded.
          </Nothing>
        ) : isMissing ? (
          <Nothing org={org} title="This replay is not here">
            Nothing with this id is stored. Its recording may not have arrived yet, may never have been sent, or is
            older than what is kept.
          </Nothing>
        ) : error === null ? (
          <SkeletonRows rows={20} label="Loading the replay" />
        ) : (
          <ErrorState title="The replay could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
        )}
      </>
    )
  }
  return <Opened key={replay} org={org} playback={data} />
}

function Nothing({
  org,
  title,
  children,
}: {
  readonly org: string
  readonly title: string
  readonly children: string
}) {
  usePageTitle('Replay')
  return (
    <EmptyState
      icon={SearchIcon}
      title={title}
      action={
        <ButtonLink to="/organizations/$org/replays" params={{ org }}>
          All replays
        </ButtonLink>
      }
    >
      <p>{children}</p>
    </EmptyState>
  )
}

function Opened({ org, playback }: { readonly org: string; readonly playback: ReplayPlayback }) {
  const search = useSearch({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { startedAt, finishedAt } = playback
  const { id, project_id: project } = playback.replay
  const client = useQueryClient()
  // What is fetched while somebody looks is there when they open it again.
  const [hasAssets] = useState(playback.assets.kept > 0)
  const source = useMemo(() => serverSource(client, { org, replay: id, hasAssets }), [client, org, id, hasAssets])
  const openFilm = useCallback<OpenFilm>(async () => {
    const [{ createFilm }, { serverFilm }] = await Promise.all([
      import('../player/film.ts'),
      import('../player/server-film.ts'),
    ])
    return (videos) => createFilm(serverFilm(org, project, id), videos)
  }, [org, project, id])
  const opened = useReplay(source, playback, momentOf(search, startedAt, finishedAt), openFilm)
  useEffect(() => {
    if (opened === null) return
    const { player } = opened
    const look = (): void => {
      if (player.snapshot().state !== 'loading') endFirstPicture(id)
    }
    look()
    return player.subscribe(look)
  }, [opened, id])
  const named = `${search.t ?? ''} ${search.event_t ?? ''}`
  const first = useRef(named)
  usePageTitle(`${titleOf(playback.replay)}, replay`)
  useNoteViewed(org, playback.replay)
  useEffect(() => {
    // Another link to the same replay, e.g. of the palette. What comes of a running replay moves nothing.
    if (first.current !== named) opened?.player.seek(momentOf(search, startedAt, finishedAt) ?? startedAt)
    first.current = named
  }, [opened, named, search, startedAt, finishedAt])
  return opened === null ? (
    <SkeletonRows rows={20} label="Loading the player" />
  ) : (
    <Replay playback={playback} opened={opened} />
  )
}

function Replay({ playback, opened }: { readonly playback: ReplayPlayback; readonly opened: OpenedReplay }) {
  const held = useHeld(playback.replay.id, kindOf(playback) === 'page')
  return (
    <PlayedReplay
      playback={playback}
      opened={opened}
      linkTo={linkHere}
      held={held}
      renderOver={(scale, top) => (
        <>
          {kindOf(playback) === 'page' ? <Poster playback={playback} opened={opened} scale={scale} top={top} /> : null}
          <Lit replay={playback.replay} opened={opened} scale={scale} top={top} />
        </>
      )}
      renderAside={(read) => <Aside playback={playback} opened={opened} {...read} />}
    >
      {({ copyLink }) => <ReplayHeader playback={playback} player={opened.player} onCopy={copyLink} />}
    </PlayedReplay>
  )
}
