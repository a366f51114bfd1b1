import type { Replay, ReplayPlayback } from '@firsthand/contract'
import { useParams } from '@tanstack/react-router'

import { formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { Avatar, Button, IconButton, Link, VisibleText } from '../../../ui/index.ts'
import { unsearchedWords } from '../model/recording-words.ts'
import { factsOf } from '../model/facts.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { usePlayerValue } from '../player/use-player.ts'
import { DeleteReplay } from '../keeping/DeleteReplay.tsx'
import { StarButton } from '../keeping/StarButton.tsx'
import { MakeTest } from '../repro/MakeTest.tsx'
import { ShareReplay } from '../share/ShareReplay.tsx'
import { LinkIcon } from './glyphs.tsx'
import { Found } from './Found.tsx'
import { Journey } from './Journey.tsx'
import { Live } from './Live.tsx'
import styles from './ReplayHeader.module.css'

const ID_CHARACTERS = 8

/** Who was recorded, as far as that is known. */
const nameOf = ({ user }: Replay): string | null => user.username ?? user.email ?? user.display_name

export const titleOf = (replay: Replay): string => nameOf(replay) ?? 'anonymous'

export function ReplayHeader({
  playback,
  player,
  onCopy,
}: {
  readonly playback: ReplayPlayback
  readonly player: Player
  readonly onCopy: () => void
}) {
  const { replay, startedAt } = playback
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const title = titleOf(replay)
  const release = replay.releases.at(-1) ?? ''
  const unsearched = unsearchedWords(playback.textsLeftOut)
  return (
    <header className={styles.header}>
      <div className={styles.text}>
        <div className={styles.crumb}>
          <p>
            <Link look="quiet" to="/organizations/$org/replays" params={{ org }}>
              Replays
            </Link>
            <span className={styles.id} title={replay.id}>
              {' / '}
              <code>{replay.id.slice(0, ID_CHARACTERS)}</code>
            </span>
          </p>
          <Found replay={replay} />
          <Journey replay={replay} />
        </div>
        <div className={styles.who}>
          <Avatar name={title === replay.user.ip ? null : nameOf(replay)} size={24} />
          <h1 className={styles.title} title={title}>
            <VisibleText text={title} />
          </h1>
          <Live playback={playback} />
          <StarButton org={org} replay={replay} />
          <p className={styles.facts}>
            <time dateTime={new Date(startedAt).toISOString()} title={formatExact(startedAt)}>
              {formatMoment('weekday', startedAt)}, {formatMoment('clock', startedAt)}
            </time>
            {' · '}
            <code>
              {playback.projectSlug}
              {release === '' ? null : (
                <>
                  {' '}
                  <VisibleText text={release} />
                </>
              )}
            </code>
            {factsOf(playback).map((fact) => (
              <span key={fact}>
                {' · '}
                <VisibleText text={fact} />
              </span>
            ))}
          </p>
        </div>
        {unsearched === '' ? null : <p className={styles.note}>{unsearched}</p>}
      </div>
      <div className={styles.actions}>
        <ShareReplay playback={playback} player={player} />
        <CopyLink player={player} from={startedAt} onCopy={onCopy} />
        <MakeTest playback={playback} />
        <DeleteReplay org={org} replay={replay} />
      </div>
    </header>
  )
}

function CopyLink({
  player,
  from,
  onCopy,
}: {
  readonly player: Player
  readonly from: number
  readonly onCopy: () => void
}) {
  const moment = usePlayerValue(player, ({ at }) => playTime(at - from))
  return (
    <>
      <span className={styles.copy}>
        <Button icon={LinkIcon} kbd="y" onClick={onCopy}>
          Copy link to {moment}
        </Button>
      </span>
      <span className={styles.copySmall}>
        <IconButton icon={LinkIcon} label={`Copy link to ${moment}`} onClick={onCopy} />
      </span>
    </>
  )
}
