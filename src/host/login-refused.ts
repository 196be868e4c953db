/** The cause of a `login-failed`: what the server would take, and whether somebody's answer could help. */
export class LoginRefused extends Error {
  readonly offered: readonly string[];
  readonly needsAnswer: boolean;
  constructor(offered: readonly string[], needsAnswer: boolean) {
    super('the login was refused');
    this.offered = offered;
    this.needsAnswer = needsAnswer;
  }
}
