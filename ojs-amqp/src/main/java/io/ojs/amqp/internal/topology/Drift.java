package io.ojs.amqp.internal.topology;

import org.jspecify.annotations.Nullable;

/**
 * A queue or exchange that exists on the broker with other arguments than this
 * application wants. The application uses it as it is; only deleting and declaring it
 * again changes it. The broker reports one argument at a time, the first that differs.
 *
 * @param name the AMQP queue or exchange
 * @param argument the argument that differs, such as {@code x-max-length} or
 * {@code type}; empty if the broker does not report it
 * @param wanted the value that this application wants, or {@code null} for none
 * @param present the value on the broker, or {@code null} for none
 * @param answer the broker's answer
 */
public record Drift(String name, String argument, @Nullable String wanted, @Nullable String present, String answer) {

}
