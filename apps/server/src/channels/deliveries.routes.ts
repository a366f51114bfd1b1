import { getDelivery, listDeliveries, redeliver } from '@firsthand/contract'
import { bind, conflict, notFound, readMomentPage, toMomentPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { attemptJson, deliveryJson } from './channel-json.ts'
import { readId } from './channels.routes.ts'
import type { Channels } from './ledger/channels.ts'
import type { Deliveries, DeliveryPlace, DeliveryRecord } from './ledger/deliveries.ts'
import { LIMITS } from './limits.ts'

/** What became of the messages to a channel, for those who can mend it. */
export const createDeliveryRoutes = ({
  channels,
  deliveries,
  clock,
  waiting,
}: {
  readonly channels: Pick<Channels, 'find'>
  readonly deliveries: Deliveries
  readonly clock: Clock
  /** Told when there is something to send. */
  readonly waiting: (organizationId: number) => void
}): Route[] => {
  const placeOf = async (organizationId: number, reference: string): Promise<DeliveryPlace> => {
    const channel = await channels.find(organizationId, readId(reference))
    if (channel === null) throw notFound()
    return { organizationId, channelId: channel.id }
  }
  const found = async (place: DeliveryPlace, reference: string): Promise<DeliveryRecord> => {
    const delivery = await deliveries.find(place, readId(reference))
    if (delivery === null) throw notFound()
    return delivery
  }
  return [
    bind(listDeliveries, async ({ params, query, request }) => {
      const asked = readMomentPage(query)
      const place = await placeOf(request.organization.id, params.channel)
      const listed = await deliveries.list(place, query.state ?? [], asked)
      const { rows, page } = toMomentPage(listed, asked, ({ createdAt: at, id }) => ({ at, id }))
      return { body: rows.map(deliveryJson), page }
    }),

    bind(getDelivery, async ({ params, request }) => {
      const delivery = await found(await placeOf(request.organization.id, params.channel), params.delivery)
      const tries = await deliveries.attempts(delivery.id, LIMITS.DELIVERY_ATTEMPTS_SHOWN)
      return { body: { ...deliveryJson(delivery), tries: tries.map(attemptJson) } }
    }),

    bind(redeliver, async ({ params, request }) => {
      const place = await placeOf(request.organization.id, params.channel)
      const { id } = await found(place, params.delivery)
      if (!(await deliveries.again(place, id, clock.now()))) {
        throw conflict('This message is on its way already: it is tried again by itself.')
      }
      waiting(request.organization.id)
      return { body: deliveryJson(await found(place, params.delivery)), status: 202 }
    }),
  ]
}
