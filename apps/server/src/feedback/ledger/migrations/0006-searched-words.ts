/**
 * What a search of the inbox looks at is bounded (`FEEDBACK_SEARCHED_CHARS`). A longer one had the whole message first and
 * name, e-mail and address behind it: of these 1,408 characters are kept, of the message the rest up to 4,096.
 */
export const searchedWords = (): readonly string[] => [
  `UPDATE feedback
    SET words = substr(substr(words, length(message) + 2), 1, 1408) || '
' || substr(words, 1, 2687)
    WHERE length(words) > 4096`,
]
