import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'Enviar comentarios',
  categoryLabel: '¿De qué se trata?',
  categoryBug: 'Error',
  categoryIdea: 'Idea',
  categoryPraise: 'Elogio',
  ratingLabel: '¿Qué le parece esta página?',
}
