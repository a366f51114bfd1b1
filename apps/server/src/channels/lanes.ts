/** Receivers, as messages to them are kept in order and counted. */

export const laneOfChannel = (channelId: number): string => `c${channelId}`
