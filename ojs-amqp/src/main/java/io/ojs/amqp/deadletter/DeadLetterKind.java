package io.ojs.amqp.deadletter;

/**
 * What dead letters are counted by.
 *
 * @param type type of the job, {@code "?"} if it says none
 * @param errorType type of the error, {@code "?"} if it says none
 * @param errorCode code of the error, {@code "?"} if it says none
 */
public record DeadLetterKind(String type, String errorType, String errorCode) {
}
