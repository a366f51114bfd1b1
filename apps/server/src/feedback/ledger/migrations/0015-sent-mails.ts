/** Mails are counted by when they were sent, before each that follows. */
export const sentMails = (): readonly string[] => [
  `CREATE INDEX feedback_messages_sent ON feedback_messages (sent_at) WHERE sent_at IS NOT NULL`,
]
