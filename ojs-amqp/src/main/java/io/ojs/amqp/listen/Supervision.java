package io.ojs.amqp.listen;

import io.ojs.handler.Timeouts;

/**
 * What watches over attempts while they are under way.
 *
 * @param running knows them
 * @param timeouts say how long they may take
 * @param deadlines interrupt those that take longer
 * @param control knows which jobs were cancelled
 */
public record Supervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control) {
}
