package io.ojs.deadletter;

/**
 * The attributes by which a replay from the broker counts dead letters.
 *
 * @param type type of the job, {@code "?"} if unknown
 * @param errorType type of the error, {@code "?"} if unknown
 * @param errorCode code of the error, {@code "?"} if unknown
 */
public record DeadLetterKind(String type, String errorType, String errorCode) {
}
