package io.ojs.store.attempt;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a job is, as its worker last said.
 *
 * @param value 0.0 to 1.0
 * @param message what it is doing, for a person
 * @param data whatever else the worker says; a JSON value
 * @param at when it said so
 */
public record Progress(double value, @Nullable String message, @Nullable Object data, Instant at) {
}
