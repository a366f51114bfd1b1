import { redeliver, type Delivery } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import {
  Badge,
  Button,
  Loaded,
  NoMatch,
  Panel,
  RefreshIcon,
  RelativeTime,
  SegmentedControl,
  SkeletonRows,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { DELIVERY_FILTERS, deliveryState, type DeliveryFilter } from '../model/words.ts'
import { channelsKey, deliveriesQuery, deliveryQuery, DELIVERIES_SHOWN } from '../queries.ts'
import { Attempt } from './Attempt.tsx'
import styles from './channels.module.css'

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'held', label: 'Held back' },
] as const satisfies readonly { readonly value: DeliveryFilter; readonly label: string }[]

interface Place {
  readonly org: string
  readonly channel: string
}

/** What became of the messages to a channel. */
export function Deliveries({
  org,
  channel,
  filter,
  open,
  onChange,
}: Place & {
  readonly filter: DeliveryFilter
  /** The delivery that is open. */
  readonly open: string | undefined
  readonly onChange: (change: { readonly state?: DeliveryFilter; readonly delivery?: string | undefined }) => void
}) {
  const deliveries = useQuery(deliveriesQuery(org, channel, DELIVERY_FILTERS[filter]))
  return (
    <Panel
      title="Deliveries"
      subtitle="of the last 30 days"
      content="rows"
      actions={
        <SegmentedControl
          aria-label="Which deliveries"
          value={filter}
          onValueChange={(state) => onChange({ state, delivery: undefined })}
          options={FILTERS}
        />
      }
    >
      <Loaded
        compact
        query={deliveries}
        outline={<SkeletonRows rows={4} label="Loading deliveries" />}
        failed="The deliveries could not be loaded"
      >
        {(rows) =>
          rows.length === 0 ? (
            filter === 'all' ? (
              <p className={styles.tries}>
                Nothing was sent to this channel yet. Alerts that name it send to it; tests are not listed here.
              </p>
            ) : (
              <NoMatch title="No such deliveries" onClear={() => onChange({ state: 'all', delivery: undefined })}>
                Nothing of the last 30 days is in this state.
              </NoMatch>
            )
          ) : (
            <ul className={styles.rows}>
              {rows.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  org={org}
                  channel={channel}
                  delivery={delivery}
                  isOpen={delivery.id === open}
                  onToggle={() => onChange({ delivery: delivery.id === open ? undefined : delivery.id })}
                />
              ))}
              {rows.length < DELIVERIES_SHOWN ? null : (
                <li className={styles.tries}>These are the newest {DELIVERIES_SHOWN}. The API lists all of them.</li>
              )}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function DeliveryRow({
  org,
  channel,
  delivery,
  isOpen,
  onToggle,
}: Place & { readonly delivery: Delivery; readonly isOpen: boolean; readonly onToggle: () => void }) {
  const { tone, word } = deliveryState(delivery)
  return (
    <li>
      <button type="button" className={styles.delivery} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.state}>
          <Badge tone={tone}>{word}</Badge>
        </span>
        <span className={styles.main}>
          <VisibleText text={delivery.headline} />
          {delivery.error === null || isOpen ? null : <span className={styles.why}>{delivery.error}</span>}
        </span>
        <span className={styles.when}>
          {delivery.attempts > 1 ? `${delivery.attempts} tries · ` : ''}
          <RelativeTime time={delivery.createdAt} />
        </span>
      </button>
      {isOpen ? <DeliveryTries org={org} channel={channel} delivery={delivery} /> : null}
    </li>
  )
}

const canGoAgain = ({ state }: Delivery): boolean => state !== 'waiting' && state !== 'sending'

function DeliveryTries({ org, channel, delivery }: Place & { readonly delivery: Delivery }) {
  const details = useQuery(deliveryQuery(org, channel, delivery.id))
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: channelsKey(org) }))
  const again = async (): Promise<void> => {
    const params = { org, channel, delivery: delivery.id }
    const sent = await changes.during('Sending again', () => api.call(redeliver, { params }))
    if (sent !== null)
      toast({ title: 'On its way again', description: 'With the same id: receivers can tell that it came before.' })
  }
  return (
    <div className={styles.tries}>
      <p className={styles.sub}>
        Id <code>{delivery.messageId}</code>
        {delivery.nextAt === null ? null : (
          <>
            {' '}
            · next try <RelativeTime time={delivery.nextAt} form="until" />
          </>
        )}
      </p>
      <Loaded
        compact
        query={details}
        outline={<SkeletonRows rows={2} label="Loading the tries" />}
        failed="The tries could not be loaded"
      >
        {({ tries }) =>
          tries.length === 0 ? (
            <p>{delivery.error ?? 'It was not tried.'}</p>
          ) : (
            // The last one first: it says how it stands.
            tries.toReversed().map((attempt) => <Attempt key={attempt.number} attempt={attempt} />)
          )
        }
      </Loaded>
      {canGoAgain(delivery) ? (
        <div className={styles.actions}>
          <Button size="small" icon={RefreshIcon} busy={changes.busy} onClick={() => void again()}>
            Send again
          </Button>
        </div>
      ) : null}
    </div>
  )
}
